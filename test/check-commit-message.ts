import { messageFaults } from './support/commit-message'

/** `bun test/check-commit-message.ts FILE`: the hook of lefthook. Ends with 1 and says what to change. */
const faults = messageFaults(await Bun.file(process.argv[2] ?? '').text())
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
