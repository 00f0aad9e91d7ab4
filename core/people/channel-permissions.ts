import type { DesktopChannel, DesktopParsedRequest } from "../contract/desktop.ts";
import type { Permission } from "./roles.ts";

/** `enter`: for whoever stands at the door and has not signed in yet. */
export type ChannelPermission = Permission | "enter";

type Rule<C extends DesktopChannel> = ChannelPermission | ((request: DesktopParsedRequest<C>) => ChannelPermission);

/** Settings that belong to whoever sits at the screen; all others are the practice's. */
const ownSettings = new Set(["language", "locale", "theme", "shortcuts", "view", "userName"]);

/** What each channel asks of a person. A channel that is missing here does not compile. */
const channelPermissions: { readonly [C in DesktopChannel]: Rule<C> } = {
  "films.list": "look",
  "films.get": "look",
  "films.edit": "prepare",
  "films.openFrame": "prepare",
  "films.assignPatient": "prepare",
  "films.cancel": "prepare",
  "films.retry": "prepare",
  "films.remove": "remove",
  "films.exportAnnotated": "share",
  "films.counts": "look",
  "readings.save": "sign",
  "annotations.list": "look",
  "annotations.save": "prepare",
  "patients.list": "look",
  "patients.get": "look",
  "patients.create": "prepare",
  "patients.edit": "prepare",
  "patients.export": "administer",
  "patients.holdings": "administer",
  "patients.erase": "administer",
  "trends.get": "look",
  "trends.csv": "share",
  "agreement.get": "look",
  "agreement.csv": "share",
  "usg.screen": "prepare",
  "usg.whatIf": "look",
  "usg.history": "look",
  "usg.model": "look",
  "usg.report": "account",
  "usg.reportCsv": "account",
  "capture.start": "prepare",
  "capture.get": "prepare",
  "capture.cancel": "prepare",
  "ledger.usage": "account",
  "ledger.events": "account",
  "ledger.csv": "account",
  "ledger.verify": "account",
  "keys.list": "administer",
  "keys.create": "administer",
  "keys.rename": "administer",
  "keys.revoke": "administer",
  "dicom.get": "look",
  "dicom.configure": "administer",
  "dicom.log": "administer",
  "dicom.nodes": "look",
  "dicom.saveNode": "administer",
  "dicom.deleteNode": "administer",
  "dicom.testNode": "administer",
  "dicom.send": "share",
  "dicom.cancelSend": "share",
  "received.list": "look",
  "received.retry": "prepare",
  "received.export": "share",
  "received.delete": "remove",
  "pacs.find": "prepare",
  "pacs.fetch": "prepare",
  "pacs.fetchPrior": "prepare",
  "pacs.cancel": "prepare",
  "server.get": "look",
  "server.configure": "administer",
  "server.authority": "administer",
  "server.requests": "administer",
  "packs.list": "look",
  "packs.activate": "administer",
  "publishers.list": "look",
  "publishers.add": "administer",
  "publishers.remove": "administer",
  "app.supportBundle": "administer",
  "backups.list": "administer",
  "backups.plan": "administer",
  "backups.savePlan": "administer",
  "backups.check": "administer",
  "backups.make": "administer",
  "backups.cancel": "administer",
  "backups.restore": "administer",
  "encryption.get": "administer",
  "encryption.plan": "administer",
  "settings.get": "look",
  "settings.save": (changes) => (Object.keys(changes).every((name) => ownSettings.has(name)) ? "look" : "administer"),
  "sample.get": "look",
  "sample.load": "prepare",
  "sample.remove": "administer",
  "app.health": "look",
  "app.about": "look",
  "app.faults": "look",
  "app.openDataFolder": "administer",
  "reports.handOut": "share",
  "reports.dicom": "share",
  "deidentify.look": "share",
  "deidentify.export": "share",
  "session.get": "enter",
  "session.signIn": "enter",
  "session.lock": "enter",
  "session.touch": "look",
  "session.forgetBrowser": ({ isEveryOne }) => (isEveryOne ? "administer" : "look"),
  "people.list": "administer",
  "people.add": "administer",
  "people.edit": "administer",
  "people.setSecret": "administer",
  "people.setOwnSecret": "look",
  "people.turnOn": "administer",
  "people.configure": "administer",
  "people.turnOff": "administer",
  "audit.list": "administer",
  "audit.csv": "administer",
};

/** What a call of a channel asks of a person. */
export function permissionOf<C extends DesktopChannel>(
  channel: C,
  request: DesktopParsedRequest<C>,
): ChannelPermission {
  const rule: Rule<C> = channelPermissions[channel];
  return typeof rule === "function" ? rule(request) : rule;
}

/** Whether a channel answers before anybody has signed in. */
export function isForAnybody(channel: DesktopChannel): boolean {
  return channelPermissions[channel] === "enter";
}
