/** How the tests want code to be compiled (`test/run.ts`). What they start is as brief as they are. */
export const jitSettings: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('BUN_JSC_')),
)
