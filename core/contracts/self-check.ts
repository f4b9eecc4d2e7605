import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { OwnerContext } from './owner'

/** The result of a check. A problem has a remedy. */
export type Finding =
  | { readonly status: 'ok'; readonly found: string; readonly mend?: undefined }
  | { readonly status: 'warn' | 'fail'; readonly found: string; readonly mend: string }

/** A check with its name, its result and, for a problem, how to fix it. */
export type Check = Finding & { readonly name: string }

/** Something that `bun renown doctor` checks for a plugin. */
export interface SelfCheck extends Extension {
  /** Runs the check until `signal` aborts. If it throws, the check has failed and the others still run. */
  run(ctx: OwnerContext, signal: AbortSignal): Promise<readonly Check[]>
}

/** What plugins add to `bun renown doctor`. */
export const selfCheck: ExtensionPoint<SelfCheck> = defineExtensionPoint<SelfCheck>({
  id: 'installation.check',
  summary: 'Adds checks to `bun renown doctor`',
  isOptional: true,
  shape: { run: v.function() },
})
