import type { Failure } from "../../../core/contract/desktop/shapes.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** A present problem of the program's record, disk or clock; it leaves the list once it is solved. */
export type Trouble = Omit<Failure, "code"> & { readonly code: ErrorCode };

/** Present problems: `health` says degraded while there are any. */
export type Troubles = {
  list(): readonly Trouble[];
  /** Tells the user and the log once while it lasts, and again when its message changes. */
  raise(trouble: Trouble): void;
  /** It is over. `wasTold`: the user has heard of it although it was not a trouble of the program yet. */
  clear(code: ErrorCode, wasTold?: boolean): void;
  /** Tells a listener the whole list whenever it is another one; the listener before is replaced. */
  follow(listener: (troubles: readonly Trouble[]) => void): void;
};

/** Nothing is wrong yet. */
export function createTroubles({
  now,
  log,
  reportFault,
}: Pick<ServiceContext, "now" | "log" | "reportFault">): Troubles {
  const standing = new Map<ErrorCode, Trouble>();
  let tell: (troubles: readonly Trouble[]) => void = () => undefined;
  return {
    list: () => [...standing.values()],
    raise(trouble) {
      if (standing.get(trouble.code)?.message === trouble.message) return;
      standing.set(trouble.code, trouble);
      // Before the fault: a page that shows what stands does not tell it a second time.
      tell([...standing.values()]);
      reportFault({ at: now().toISOString(), ...trouble });
    },
    clear(code, wasTold = false) {
      if (!standing.delete(code) && !wasTold) return;
      log.info({ code }, "a trouble is over");
      tell([...standing.values()]);
    },
    follow(listener) {
      tell = listener;
    },
  };
}
