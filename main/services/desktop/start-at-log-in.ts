/** The system's own switch for starting the program at log-in. */
export type StartAtLogIn = { isOn(): boolean; turn(isOn: boolean): void };
