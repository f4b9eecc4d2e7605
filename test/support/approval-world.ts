import { definePlugin, where } from 'renown'
import { agentKeys } from '../../core/auth/agent-keys'
import type { NewRow, Row } from '../../core/contracts/entity'
import { Job } from '../../core/jobs/Job'
import { withCore } from '../../core/product/core-plugins'
import { Proposal, type ProposalRow } from '../../core/tenancy/proposals/Proposal'
import { BrandTracker } from '../../plugins/leads/records/BrandTracker'
import { Lead } from '../../plugins/leads/records/Lead'
import { Mention } from '../../plugins/leads/records/Mention'
import linkedin from '../../plugins/linkedin'
import { createPost } from '../../plugins/posts/acts/edit'
import { Post } from '../../plugins/posts/records/Post'
import { Review } from '../../plugins/reviews/records/Review'
import { standInTarget } from '../plugins/posts/support/post-world'
import { platformWorld } from '../plugins/reviews/support/platform-world'
import { startGate } from './harness'
import { callTool } from './mcp'
import { platformPlugins } from './platforms'
import { formOf, signedIn } from './signed-in'

/** What an agent is answered: the proposal, or the error. */
export type ToolAnswer = Readonly<Record<string, unknown>> & { readonly proposal_id: string }

/**
 * An agent, and a person who is signed in, over one gate. Replies go to Google's stand-in over its wire, and posts to a stand-in
 * in this process.
 */
export async function approvalWorld() {
  const standIn = standInTarget()
  const target = definePlugin({
    name: 'stand-in',
    renown: '^1.0.0',
    needs: ['posts'],
    provides: [{ point: 'posts.target', extension: standIn.target }],
  })
  const plugins = [...platformPlugins.filter((one) => one !== linkedin), target]
  const world = await platformWorld({ plugins })
  const { owner, documents, workspace_id, agency_id, location_id } = world
  const gate = await startGate({ plugins: withCore(plugins), documents })
  gate.clock.stop()
  const catchUp = () => {
    world.bench.now = gate.clock.now()
  }
  catchUp()
  const { token: key } = await agentKeys({ documents, clock: gate.clock }).mint(agency_id)
  const people = await Promise.all(
    ['ada', 'bo'].map((name) => signedIn(gate, { agencyId: agency_id, email: `${name}@acme.example` })),
  )
  const [ada] = people
  if (!ada) throw new Error('nobody is signed in')
  let made = 0

  const rowOf = async (id: string): Promise<ProposalRow> => {
    const row = await owner.rows(Proposal).get(id)
    if (!row) throw new Error(`no proposal ${id}`)
    return row
  }
  const tool = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, content, isError } = await callTool(gate, '2026-07-28', name, args, { key })
    return isError ? { error: content[0]?.text ?? '' } : (structuredContent as Record<string, unknown>)
  }
  const press = async (action: string, fields: Record<string, string>, who = ada) => {
    const form = { csrf: who.session.csrf_token, ...fields }
    const answer = await gate.ask(`/app/${action}`, formOf(form, { cookie: who.cookie }))
    const html = await answer.text()
    const said = /<div class="notice[^>]*>.*?<\/div>/s.exec(html)?.[0].replace(/<[^>]+>/g, ' ') ?? ''
    return `${answer.status} ${answer.headers.get('location') ?? ''} ${said}`.replace(/\s+/g, ' ').trim()
  }
  return {
    world,
    gate,
    owner,
    standIn,
    people,
    rowOf,
    tool,
    press,
    workspace_id,
    location_id,
    catchUp,
    /** Proposes as an agent, over MCP. */
    propose: async (change: string, input: object) =>
      (await tool('proposeChange', { change, input, reason: 'The owner wants it.' })) as ToolAnswer,
    /** What the agent reads about its proposal. */
    async asRead(id: string) {
      const { record } = (await tool('get_record', { entity: 'Proposal', id })) as { record: object }
      return record as { readonly state: string; readonly outcome?: string }
    },
    page: async (path: string) =>
      (await gate.ask(path, { key: null, headers: { cookie: ada.cookie } })).text(),
    /** Presses a button of the entry in the inbox. */
    async inInbox(id: string, action: 'act' | 'other' = 'act', who = ada) {
      const { state, updated_date } = await rowOf(id)
      const fields = { entry: `proposals~${id}`, state: `${state} ${updated_date}` }
      return press(`inbox/${action}`, fields, who)
    },
    approve: (id: string, who = ada) => press('proposals/approve', { proposal: id }, who),
    /** A review of two stars, at Google and here. */
    async review(more: Partial<NewRow<typeof Review>> = {}): Promise<Row<typeof Review>> {
      const id = `r${++made}`
      const at = world.bench.now.getTime() - 3_600_000
      const said = { id, stars: 2, text: `Cold soup ${made}`, author: 'Ann Lee', created: at, updated: at }
      world.google.reviews.set(id, said)
      await world.sync()
      const [row] = await owner.rows(Review).list({ where: where.eq('source_id', id) })
      if (!row) throw new Error('the review was not read')
      return (await owner.rows(Review).update(row.id, more)) ?? row
    },
    async lead(more: Partial<NewRow<typeof Lead>> = {}): Promise<Row<typeof Lead>> {
      const at = world.bench.now.toISOString()
      const tracker = {
        workspace_id,
        location_id,
        name: 'Acme',
        keywords: ['soup'],
        required_keywords: [],
        excluded_keywords: [],
        sources: [],
        languages: [],
        countries: [],
        is_active: true,
        mentions_total: 0,
      }
      const { id: tracker_id } = await owner.rows(BrandTracker).insert(tracker)
      const mention = {
        workspace_id,
        location_id,
        tracker_id,
        source: 'forum',
        source_id: `p${++made}`,
        language: 'en',
        url: `https://forum.example/${made}`,
        body: 'Soup?',
        excerpt: 'Soup?',
        author: { handle: 'cy' },
        posted_at: at,
        discovered_at: at,
        matched_keywords: ['soup'],
        is_lead: true,
        status: 'new',
        is_read: false,
        is_archived: false,
        tags: [],
        relevance: 'relevant',
        relevance_score: 80,
      }
      const { id: mention_id } = await owner.rows(Mention).insert(mention as never)
      const lead = {
        workspace_id,
        location_id,
        tracker_id,
        mention_id,
        stage: 'new',
        source: 'forum',
        intent_score: 70,
        intent_reason: 'Asks',
        is_archived: false,
        mention_posted_at: at,
        ...more,
      }
      return owner.rows(Lead).insert(lead as never)
    },
    draft: (summary: string) =>
      createPost(owner, {
        location_id,
        platform: standIn.target.platform,
        post_type: 'update' as const,
        content: { summary, language: 'en', media: [] },
      }),
    post: (id: string) => owner.rows(Post).get(id),
    /** Lets time pass, and runs each post that is due then. */
    async later(minutes: number) {
      gate.clock.advance(minutes * 60_000)
      catchUp()
      const { signal } = new AbortController()
      await world.bench.registry.jobs.get('duePosts')?.run(owner, signal)
      await world.bench.registry.jobs.get('proposalSweep')?.run(owner, signal)
      const waiting = where.and(where.eq('queue', 'publish-post'), where.eq('is_active', true))
      for (const job of await world.bench.collection(Job).find({ where: waiting })) {
        await world.bench.collection(Job).updateOne(where.eq('id', job.id), { set: { is_active: false } })
        await world.bench.registry.queues.get('publish-post')?.run(owner, job.payload, {
          id: String(job.id),
          workspace_id,
          attempt: 1,
          signal,
          saved: {},
          hold: async () => {},
          progress: async () => {},
          save: async () => {},
        })
      }
      await world.bench.registry.jobs.get('proposalSweep')?.run(owner, signal)
    },
    stop: async () => {
      await gate.stop()
      await world.bench.stop()
    },
  }
}
