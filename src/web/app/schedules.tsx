export const Schedules = () => null;
