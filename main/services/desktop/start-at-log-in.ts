export type StartAtLogIn = { isOn(): boolean; turn(isOn: boolean): void };
