import { AppError } from "../../../core/app-error.ts";
import { createEngine, type Engine } from "../../inference/engine.ts";
import { programPacksDir, programVersion } from "../../program.ts";

/**
 * @param command  name of the command, the prefix of its output on stderr
 * @throws AppError MODELS_NOT_LOADED
 */
export async function openEngine(command: string, packs = programPacksDir): Promise<Engine> {
  const say = (fields: Readonly<Record<string, unknown>>, message: string) =>
    void process.stderr.write(`${command}: ${message} ${JSON.stringify(fields)}\n`);
  const engine = await createEngine({ packFolders: [packs], programVersion, log: { warn: say, error: say } });
  if (engine.health().modelsLoaded === 0) {
    await engine.close();
    throw new AppError("MODELS_NOT_LOADED", `no landmark pack could be loaded from ${packs}`);
  }
  return engine;
}
