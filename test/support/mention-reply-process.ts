import { definePlugin } from 'renown'
import { leadsReply, leadsSource, publicPolicy } from 'renown/leads'
import * as v from 'valibot'
import { where } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker, type Worker } from '../../core/jobs/worker'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import leads from '../../plugins/leads'
import { Mention } from '../../plugins/leads/records/Mention'
import { MentionReply } from '../../plugins/leads/records/MentionReply'
import { requestReply } from '../../plugins/leads/replies/requestReply'
import { startGate } from './harness'
import { jobs } from './platforms'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'

const sent = v.object({ id: v.string(), text: v.string(), at: v.string() })
const listed = v.object({ own: v.array(sent) })
const shown = ({ id, text, at }: v.InferOutput<typeof sent>) => ({
  external_id: id,
  text,
  created_at: at,
  state: 'shown',
})

/** A platform without keys at `origin`: replies are proved by the list of the account's own replies. */
const platformAt = (origin: string) =>
  definePlugin({
    name: 'forum',
    renown: '^1.0.0',
    needs: ['leads'],
    provides: [
      leadsSource.with({
        name: 'searching',
        label: 'Search',
        channels: ['forum'],
        reach: 'search',
        everyMs: 60_000,
        policy: { ...publicPolicy, terms_url: 'https://terms.example/' },
        needs: () => [],
        read: async () => ({ posts: [], unread: [], cursor: null, isMore: false }),
      }),
      leadsReply.with({
        name: 'forum',
        channel: 'forum',
        label: 'Forum',
        textMax: 500,
        countedIn: 'characters',
        proof: { states: { shown: 'visible' }, source: 'test' },
        accountOf: async () => ({ id: 'acme', name: 'Acme' }),
        async open(ctx, _, { source_id }) {
          const asked = { what: 'the forum', faultOf: () => null }
          const at = `${origin}/${encodeURIComponent(source_id)}`
          return {
            async look() {
              const { own } = await ctx.outbound.ask({ ...asked, url: at, answer: listed })
              return { isGone: false, own: own.map(shown) }
            },
            async send({ text }) {
              const made = await ctx.outbound.ask({ ...asked, url: at, json: { text }, answer: sent })
              return { ...shown(made), evidence: '200' }
            },
          }
        },
      }),
    ],
  })

/** Opens the product's replies on a store in a file, with a clock that runs ahead. */
export async function openReplies(path: string, origin: string, aheadMinutes: number) {
  let ahead = aheadMinutes
  const now = () => new Date(Date.now() + ahead * 60_000)
  const documents = await openSqlite({ path, now, log: quietLog })
  const gate = await startGate({
    documents,
    reaches: true,
    plugins: [jobs, leads, platformAt(origin)],
  })
  gate.clock.advance(ahead * 60_000)
  const held: { worker?: Worker } = {}
  const { queues, jobs: tasks } = gate.registry
  return {
    gate,
    advance(minutes: number) {
      ahead += minutes
      gate.clock.advance(minutes * 60_000)
    },
    /** Takes every step that is due now. */
    async takeSteps() {
      held.worker ??= startWorker({
        queues,
        documents,
        owner: gate.owner,
        clock: { now },
        log: quietLog,
        pollEveryMs: 10,
      })
      const isDone = async () => {
        await tasks.get('dueMentionReplies')?.run(gate.owner, new AbortController().signal)
        const due = where.lte('due_at', gate.clock.now().toISOString())
        return (await gate.owner.rows(MentionReply).count(due)) === 0
      }
      await waitFor(isDone, { what: 'all due steps', timeoutMs: 60_000, everyMs: 30 })
    },
    async stop() {
      await held.worker?.stop()
      await gate.stop()
      await documents.close()
    },
  }
}

/** A person answers a new post. */
async function answer({ gate }: Awaited<ReturnType<typeof openReplies>>): Promise<void> {
  const { owner } = gate
  const [known] = await owner.rows(BusinessLocation).list({ limit: 1 })
  const location =
    known ??
    (await gate.put(BusinessLocation, {
      business_name: 'Acme',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    }))
  const source_id = crypto.randomUUID()
  const at = gate.clock.now().toISOString()
  const { id } = await owner.rows(Mention).insert({
    workspace_id: location.workspace_id,
    location_id: location.id,
    tracker_id: 'trk_1',
    source: 'forum',
    source_id,
    url: `https://forum.example/${source_id}`,
    body: 'Which plumber?',
    excerpt: '',
    language: 'en',
    author: { handle: 'sam' },
    posted_at: at,
    discovered_at: at,
    matched_keywords: [],
    is_lead: false,
    status: 'new',
    is_read: false,
    is_archived: false,
    tags: [],
    found_by: 'searching',
  })
  await requestReply(owner, { mention_id: id, text: `We can come today. ${source_id}` })
}

/** As a process of its own: answers two posts, takes the steps that are due and ends, unless somebody kills it before. */
if (import.meta.main) {
  const [, , path = '', origin = '', ahead = '0'] = process.argv
  const replies = await openReplies(path, origin, Number(ahead))
  await freeLeases(replies.gate.documents)
  for (let n = 0; n < 2; n++) await answer(replies)
  await replies.takeSteps()
  process.exit(0)
}
