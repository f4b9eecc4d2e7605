import { join } from 'node:path'
import { systemTerminal } from './cli/print/terminal'
import { runStart } from './cli/start/start'

const mains = {
  gateway: join(import.meta.dir, 'cli/gateway-main.ts'),
  ingest: join(import.meta.dir, '../ingest/part-main.ts'),
}

process.exit(
  await runStart(
    process.argv.slice(2),
    { env: process.env, command: (part) => [process.execPath, ...process.execArgv, mains[part]] },
    systemTerminal(),
  ),
)
