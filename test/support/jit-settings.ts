import { join } from 'node:path'

/**
 * Where Bun keeps what it has translated from TypeScript. Every process of a run shares it: a home of its own has none, so a product
 * that a test starts would translate all of its modules again. That is a fifth of the start.
 */
export const translated = {
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(import.meta.dir, '../../node_modules/.cache/translated'),
}

/** How the tests want code to be compiled (`test/run.ts`). What they start is as brief as they are. */
export const jitSettings: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('BUN_JSC_'))),
  ...translated,
}
