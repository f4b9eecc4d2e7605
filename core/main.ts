import { systemTerminal } from './cli/print/terminal'
import { partCommand } from './cli/start/part-commands'
import { runStart } from './cli/start/start'

process.exit(
  await runStart(process.argv.slice(2), { env: process.env, command: partCommand }, systemTerminal()),
)
