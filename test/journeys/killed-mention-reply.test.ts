import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { where } from '../../core/contracts/where'
import { MentionReply } from '../../plugins/leads/records/MentionReply'
import { confirmMentionReply, requestReply, sendReplyAgain } from '../../plugins/leads/replies/requestReply'
import { openReplies } from '../support/mention-reply-process'

/** When a process is killed. */
const instants = ['after the reply', 'before the reply', 'at the look'] as const
const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 100 : 2))
const minutesBetween = 2
const program = resolve(import.meta.dir, '../support/mention-reply-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-replies-'))
const path = join(folder, 'documents.sqlite')

/** The replies that the platform shows, by post. */
const threads = new Map<string, string[]>()
let plan: { readonly at: (typeof instants)[number]; kill(): void } | null = null
let killed = 0
function strike(at: (typeof instants)[number]): boolean {
  if (plan?.at !== at) return false
  const { kill } = plan
  plan = null
  killed++
  kill()
  return true
}

const lost = () => new Response('<html>Bad Gateway</html>', { status: 502 })
const counts = { sends: 0, accepted: 0 }
/** The clock of the platform runs ahead of every process. */
const ahead = () => new Date(Date.now() + 365 * 86_400_000).toISOString()
let server: Bun.Server<undefined>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const post = new URL(request.url).pathname
      const shown = threads.get(post) ?? []
      if (request.method === 'GET') {
        strike('at the look')
        return Response.json({ own: shown.map((text, n) => ({ id: `${post}-${n}`, text, at: ahead() })) })
      }
      const { text } = (await request.json()) as { text: string }
      if (strike('before the reply') || ++counts.sends % 5 === 0) return lost()
      threads.set(post, [...shown, text])
      strike('after the reply')
      return ++counts.accepted % 3 === 0
        ? lost()
        : Response.json({ id: `${post}-${shown.length}`, text, at: ahead() })
    },
  })
})
afterAll(async () => {
  await server?.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

test(`replies are each sent once, though their process is killed ${kills} times`, async () => {
  const { origin } = server.url
  let minutes = 0
  for (let n = 0; killed < kills; n++) {
    expect(n).toBeLessThan(10 * kills)
    const running = Bun.spawn([process.execPath, program, path, origin, String(minutes)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const at = instants[n % instants.length] ?? 'at the look'
    plan = { at, kill: () => running.kill('SIGKILL') }
    expect([0, 137]).toContain(await running.exited)
    minutes += minutesBetween
  }
  plan = null
  const replies = await openReplies(path, origin, minutes)
  const { owner } = replies.gate
  const isShown = (source_id: string) => threads.has(`/${source_id}`)
  for (let round = 0; round < 60; round++) {
    replies.advance(minutesBetween)
    await replies.takeSteps()
    const failed = await owner.rows(MentionReply).list({ where: where.eq('state', 'failed'), limit: 1_000 })
    for (const { failure_kind, mention_id, source_id, text } of failed) {
      // A person looks at the thread, and decides only where nobody could prove it.
      const isUnknown = failure_kind === 'unknown_outcome'
      if (!isUnknown) expect([failure_kind, isShown(source_id)]).toEqual(['missed', false])
      if (!isUnknown) await requestReply(owner, { mention_id, text })
      else if (isShown(source_id))
        await confirmMentionReply(owner, { mention_id, url: 'https://forum.example/1' })
      else await sendReplyAgain(owner, mention_id)
    }
    const open = where.in('state', ['queued', 'sending', 'failed'])
    if ((await owner.rows(MentionReply).count(open)) === 0) break
  }
  const rows = await owner.rows(MentionReply).list({ limit: 10_000 })
  await replies.stop()
  expect(
    rows.filter(({ state }) => state !== 'sent').map(({ state, error_message }) => [state, error_message]),
  ).toEqual([])
  expect(rows.filter(({ source_id, text }) => !Bun.deepEquals(threads.get(`/${source_id}`), [text]))).toEqual(
    [],
  )
  expect(rows.length).toBeGreaterThanOrEqual(kills)
  expect(threads.size).toBe(rows.length)
}, 3_600_000)
