/** The exit code of a side-car that never reached the server. */
export const unreachedCode = 3;
