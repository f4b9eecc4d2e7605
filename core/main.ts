import { builtin } from '../plugins'
import { runStart } from './cli/start'
import { systemTerminal } from './cli/terminal'

process.exit(
  await runStart(
    process.argv.slice(2),
    {
      builtin,
      loadIngest: async () => (await import('../ingest')).createIngest,
      env: process.env,
      workingFolder: process.cwd(),
    },
    systemTerminal(),
  ),
)
