import { checkBackup } from './check-backup'

// Reads a copy of a data folder, and prints what it found as one line of JSON.
process.stdout.write(`\n${JSON.stringify(await checkBackup(process.argv[2] ?? ''))}\n`)
process.exit(0)
