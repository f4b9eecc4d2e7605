import { expect, test } from 'bun:test'
import type { SignedIn } from '../../../../../core/web/framework/route'
import { createStreams } from '../../../../../core/web/framework/streams/events'
import { createStreamSlots } from '../../../../../core/web/framework/streams/stream-slots'
import { quietLog } from '../../../../support/quiet-log'
import { waitFor } from '../../../../support/wait-for'

const visit = (id = 'usr_1') =>
  ({
    request: new Request('http://localhost/app/events/x'),
    session: { id: 'ses_1' },
    person: { id, agency_id: 'agc_1' },
    place: null,
  }) as unknown as SignedIn
const slots = () => createStreamSlots({ perPerson: 8, perWorkspace: 200, all: 1_000 })

const anybody = async () => true

async function* silent(signal: AbortSignal) {
  await waitFor(() => signal.aborted, { what: 'the end of the stream', timeoutMs: 30_000, everyMs: 5 })
  yield* []
}

test('a silent stream is kept open by pings, and ends when its session does', async () => {
  let isIn = true
  let stopped = false
  const mayListen = async () => isIn
  const streams = createStreams({ mayListen, log: quietLog, slots: slots(), pingMs: 10 })
  const answer = streams.open(visit(), async function* (signal) {
    yield* silent(signal)
    stopped = true
  } as (signal: AbortSignal) => AsyncIterable<unknown>)
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  let heard = ''
  const next = async () => {
    const { value, done } = await reader.read()
    heard += value ? new TextDecoder().decode(value) : ''
    return done
  }
  while (!heard.includes('event: alive\ndata: 1\n\n')) expect(await next()).toBe(false)
  isIn = false
  while (!(await next()));
  await waitFor(() => stopped, { what: 'the source to stop', everyMs: 5 })
})

test('a person has so many streams at most, and room again when one is closed', async () => {
  const streams = createStreams({ mayListen: anybody, log: quietLog, slots: slots(), pingMs: 60_000 })
  const open = () => streams.open(visit(), silent)
  const all = Array.from({ length: 8 }, open)
  expect(open).toThrow('You have 8 pages')
  expect(streams.open(visit('usr_2'), silent).status).toBe(200)
  await all[0]?.body?.cancel()
  expect(open().status).toBe(200)
})

test('a stream that fails ends, and says so in the log', async () => {
  const said: string[] = []
  const log = { ...quietLog, error: (message: string) => void said.push(message) }
  const streams = createStreams({ mayListen: anybody, log, slots: slots(), pingMs: 60_000 })
  const answer = streams.open(visit(), async function* () {
    yield 1
    throw new Error('gone')
  } as () => AsyncIterable<unknown>)
  expect(await answer.text()).toBe('retry: 2000\n\ndata: 1\n\n')
  expect(said).toEqual(['a live stream failed'])
})
