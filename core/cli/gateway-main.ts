import { socketPath } from '../process/data-folder'
import { joinSupervisor } from '../supervise/part'
import { systemTerminal } from './print/terminal'

const supervisor = joinSupervisor()
const { runGateway } = await import('./start/gateway')
const { builtin } = await import('../../plugins')
const { env } = process

process.exit(
  await runGateway(
    process.argv.slice(2),
    {
      builtin,
      async loadIngest() {
        const { createIngest, createRemoteIngest } = await import('../../ingest')
        return (deps) => {
          if (deps.settings.RENOWN_INGEST === 'off') return createIngest(deps)
          const socket = socketPath(deps.settings.RENOWN_DATA_DIR, 'ingest.sock')
          return createRemoteIngest({
            ...deps,
            socket,
            stopping: supervisor.stopping,
            ended: supervisor.endOf('ingest'),
          })
        }
      },
      loadLogReader: async () => (await import('../../ingest')).readLogSample,
      env,
      workingFolder: process.cwd(),
    },
    systemTerminal(),
    supervisor,
  ),
)
