import { readdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { keepBusy } from './hits/connection'
import { noAnswer, requestsOf } from './hits/requests'
import { residentOf, type Server, startServer } from './hits/server'

const connections = 64
const sampleMs = 5_000
const bareSeconds = 20

/**
 * `bun run bench soak [minutes]`: resident memory of the accept loop, which is given all the single hits it takes for
 * so many minutes, beside that of a bare server under the same load.
 */
export async function run(minutes = '10'): Promise<void> {
  const bare = await startServer('bare')
  await keepBusy(bare.port, connections, performance.now() + bareSeconds * 1_000, requestsOf('/single', 1))
  console.log(`bare, ${bareSeconds} s: ${said(residentOf(bare.pid))}`)
  await bare.stop()

  const ingest = await startServer('ingest')
  console.log(`ingest, idle: ${said(residentOf(ingest.pid))}`)
  const ms = Number(minutes) * 60_000
  const samples: number[] = []
  const watching = setInterval(() => {
    takeAway(ingest)
    const resident = residentOf(ingest.pid)
    if (samples.push(resident.now) % 12 === 0) console.log(`${samples.length / 12} min: ${said(resident)}`)
  }, sampleMs)
  const hits = await keepBusy(
    ingest.port,
    connections,
    performance.now() + ms,
    requestsOf('/v1/hits', 1, noAnswer),
  )
  clearInterval(watching)
  const late = samples.slice(Math.floor(samples.length / 2))
  console.log(
    `ingest, ${minutes} min, ${Math.round(hits / (ms / 1_000))} hits/s: ${said(residentOf(ingest.pid))} (goal 80 MB); ` +
      `in the second half between ${Math.min(...late)} and ${Math.max(...late)} MB`,
  )
  await ingest.stop()
}

const said = ({ now, most, own }: ReturnType<typeof residentOf>) =>
  `${now} MB resident, ${own} of it its own memory, ${most} at most`

/** As a flusher would: what is closed goes away, so that the disk does not fill. */
function takeAway({ folder }: Server) {
  const segments = join(folder, 'segments')
  for (const name of readdirSync(segments)) if (name.endsWith('.seg')) unlinkSync(join(segments, name))
}
