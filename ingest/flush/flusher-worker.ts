import { createClaimQueue } from './flush-claims'
import { createFlushLoop } from './flush-loop'
import type { FromWorker, ToWorker } from './flusher-messages'

declare const self: Worker

/**
 * The flusher's thread, which runs the flush loop. With chDB it never ends before the process, because the
 * end of a thread closes every chDB connection of the process. After a stop it is idle.
 */
const say = (message: FromWorker) => self.postMessage(message)
const complain = (error: unknown) =>
  say({ say: 'log', level: 'error', message: 'The flusher failed', fields: { reason: String(error) } })
const desk = createClaimQueue(say)
let loop: ReturnType<typeof createFlushLoop> | undefined
let mayEnd = false

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.do === 'start') {
    mayEnd = 'url' in data.target
    loop ??= createFlushLoop({ ...data, say, desk: data.claims ? desk : null })
  } else if (data.do === 'look') loop?.look()
  else if (data.do === 'drain') loop?.drain(data.id)
  else if (data.do === 'claimed' || data.do === 'unclaimed') desk.hear(data)
  else {
    await loop?.stop()
    say({ say: 'stopped' })
    if (mayEnd) process.exit(0)
  }
}
process.on('uncaughtException', complain)
process.on('unhandledRejection', complain)
