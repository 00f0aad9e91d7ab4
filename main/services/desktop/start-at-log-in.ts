/** Operating system setting that starts the program at login. */
export type StartAtLogIn = { isOn(): boolean; turn(isOn: boolean): void };
