export const ScheduleDetail = () => null;
