export const Alerts = () => null;
