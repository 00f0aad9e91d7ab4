export { fillMessage, type Language, type Message, type MessageTable, type MessageValues } from "../../core/message.ts";
