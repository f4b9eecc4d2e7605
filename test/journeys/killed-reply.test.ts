import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { everything } from '../../core/contracts/where'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { Review } from '../../plugins/reviews/records/Review'
import { ReviewListing } from '../../plugins/reviews/records/ReviewListing'
import { ReviewReply } from '../../plugins/reviews/records/ReviewReply'
import { requestReply } from '../../plugins/reviews/reply/requestReply'
import { openReplies } from '../support/reply-process'

/** When a process is killed, or what happens to an answer before that. The last one can let many replies through. */
const instants = [
  'at the look',
  'before the reply',
  'after the reply',
  'after the answer',
  'answer lost',
  'anywhere',
] as const
type Instant = (typeof instants)[number]

const kills = process.env.RENOWN_LONG === undefined ? instants.length : 200
/** More than all processes can send before they are killed. */
const replies = kills * 12
/** Each process believes that it starts so much later than the one before, so that no retry waits. */
const minutesBetween = 70
const program = resolve(import.meta.dir, '../support/reply-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-replies-'))
const path = join(folder, 'documents.sqlite')

/** The platform: the reply that it shows for each review, and how many it accepted. */
const shown = new Map<string, string>()
const accepted = new Map<string, number>()
/** What happens to the process that runs now. Happens once. */
let plan: { readonly at: Instant; kill(): void } | null = null
const killed = new Map<Instant, number>()
/** Kills the process if its instant has come. Returns whether it has. */
function strike(at: Instant, afterMs?: number): boolean {
  if (plan?.at !== at) return false
  const { kill } = plan
  plan = null
  killed.set(at, (killed.get(at) ?? 0) + 1)
  if (afterMs === undefined) kill()
  else setTimeout(kill, afterMs)
  return true
}

let server: Bun.Server<undefined>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const id = new URL(request.url).pathname.slice(1)
      if (request.method === 'PUT') {
        strike('anywhere', Math.random() * 80)
        return new Response('')
      }
      if (request.method === 'GET') {
        strike('at the look')
        return new Response(shown.get(id) ?? '')
      }
      const text = await request.text()
      if (strike('before the reply')) return new Response('', { status: 503 })
      accepted.set(id, (accepted.get(id) ?? 0) + 1)
      shown.set(id, text)
      strike('after the reply')
      strike('after the answer', Math.random() * 10)
      return new Response('', { status: strike('answer lost', 100) ? 502 : 200 })
    },
  })
})
afterAll(async () => {
  await server?.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

test(`replies of people are each sent once, though their process is killed ${kills} times`, async () => {
  const platform = server.url.origin
  const begun = await openReplies(path, platform)
  const location = await begun.gate.put(BusinessLocation, {
    business_name: 'Bakery',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    source: 'street',
  })
  await begun.gate.put(ReviewListing, { location_id: location.id })
  for (let n = 0; n < replies; n++) {
    const { id } = await begun.gate.put(Review, {
      location_id: location.id,
      source: 'street',
      source_id: `r${n}`,
      needs_response: true,
      star_rating: 2,
      review_text: 'Cold soup',
    })
    await requestReply(begun.gate.owner, { review_id: id, text: `Sorry, guest ${n}.` })
  }
  await begun.gate.stop()
  await begun.documents.close()

  const start = (ahead: number) =>
    Bun.spawn([process.execPath, program, path, platform, String(ahead * minutesBetween)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    })
  for (let n = 0; n < kills; n++) {
    const running = start(n)
    plan = { at: instants[n % instants.length] ?? 'anywhere', kill: () => running.kill('SIGKILL') }
    await running.exited
  }
  plan = null
  // What was sent and not recorded is recorded by the last process, which does not send it again.
  expect(await start(kills).exited).toBe(0)

  const after = await openReplies(path, platform)
  const acts = await after.gate.owner.rows(ReviewReply).list({ where: everything, limit: replies + 1 })
  const rows = await after.gate.owner.rows(Review).list({ where: everything, limit: replies + 1 })
  await after.gate.stop()
  await after.documents.close()
  const texts = Array.from({ length: replies }, (_, n) => [`r${n}`, `Sorry, guest ${n}.`] as const)
  expect([...new Set(acts.map(({ state }) => state))]).toEqual(['sent'])
  expect([acts.length, [...accepted.values()].filter((times) => times !== 1)]).toEqual([replies, []])
  expect(new Map([...shown].toSorted())).toEqual(new Map(texts.toSorted()))
  expect(new Map(rows.map(({ source_id, reply_text }) => [source_id, reply_text ?? ''])).size).toBe(replies)
  for (const { source_id, reply_text } of rows) expect(reply_text).toBe(shown.get(source_id))
  // Every kind of kill happened.
  expect([...killed.keys()].toSorted()).toEqual(instants.toSorted())
}, 1_800_000)
