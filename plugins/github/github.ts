import { minuteMs, ServiceFault } from 'renown'
import {
  askSource,
  cursorIn,
  instantForm,
  type MentionSource,
  publicPolicy,
  readRows,
  type SourceContext,
  type SourceService,
  waitOf,
} from 'renown/leads'
import type { ServiceAnswer } from 'renown/sources'
import * as v from 'valibot'
import {
  postFields,
  postOfFields,
  readThreads,
  repeatedMs,
  type ThreadPosition,
  threadPosition,
  what,
} from './comments'
import { recheckNodes } from './nodes'
import { gitHubSettings } from './settings'

const pageMax = 100
/** Discussions whose comments are read at once. Their replies make them dear. */
const threadsMax = 25
const commentsMax = 100

const fields = 'id url bodyText createdAt lastEditedAt author { login url avatarUrl }'
const answers = `comments(last: ${commentsMax}) { pageInfo { hasPreviousPage } nodes { ${fields} } }`
const replies = `comments(last: 30) { pageInfo { hasPreviousPage } nodes { ${fields} replies(last: 20) { pageInfo { hasPreviousPage } nodes { ${fields} } } } }`
const document = `query ($issues: String!, $discussions: String!, $inIssues: String!, $inDiscussions: String!) {
  issues: search(type: ISSUE, query: $issues, first: ${pageMax}) { nodes { ... on Issue { title ${fields} } ... on PullRequest { title ${fields} } } }
  discussions: search(type: DISCUSSION, query: $discussions, first: ${pageMax}) { nodes { ... on Discussion { title ${fields} } } }
  inIssues: search(type: ISSUE, query: $inIssues, first: ${pageMax}) { nodes { ... on Issue { id url updatedAt ${answers} } ... on PullRequest { id url updatedAt ${answers} } } }
  inDiscussions: search(type: DISCUSSION, query: $inDiscussions, first: ${threadsMax}) { nodes { ... on Discussion { id url updatedAt ${replies} } } }
}`

const position = v.object({
  issues: instantForm,
  discussions: instantForm,
  inIssues: v.optional(threadPosition),
  inDiscussions: v.optional(threadPosition),
})
const nodes = v.object({ nodes: v.array(v.unknown()) })
const answer = v.object({
  data: v.object({ issues: nodes, discussions: nodes, inIssues: nodes, inDiscussions: nodes }),
})
const node = v.object({ ...postFields, title: v.string() })
type Node = v.InferOutput<typeof node>

const failure = v.object({
  errors: v.tupleWithRest([v.object({ message: v.string(), type: v.nullish(v.string()) })], v.unknown()),
})
const kinds: Readonly<Record<string, ServiceFault['kind']>> = {
  RATE_LIMITED: 'rate',
  FORBIDDEN: 'permission',
  INSUFFICIENT_SCOPES: 'permission',
}

/** Issues, pull requests and discussions of public repositories, and the comments on them. Each comment is a post of its own. */
export const gitHub: MentionSource = {
  name: 'github',
  label: 'GitHub',
  channels: ['forum'],
  reach: 'search',
  everyMs: 15 * minuteMs,
  policy: {
    ...publicPolicy,
    terms_url:
      'https://docs.github.com/en/site-policy/acceptable-use-policies/github-acceptable-use-policies',
  },
  // GitHub allows 30 searches a minute, and a reading makes four. A reading costs about 10 of the 5,000 points an hour.
  perHour: () => 400,
  needs: (ctx) => (gitHubSettings.of(ctx).GITHUB_TOKEN === '' ? ['GITHUB_TOKEN'] : []),
  async read(ctx, { target, cursor, since, signal }) {
    const { GITHUB_URL: url } = gitHubSettings.of(ctx)
    const known = cursorIn(position, cursor) ?? { issues: since, discussions: since }
    const start = { at: since, from: since }
    const from = { inIssues: start, inDiscussions: start, ...known }
    const term = `"${target.replaceAll('"', ' ')}"`
    const created = (at: string) => `${term} is:public created:>=${at} sort:created-asc`
    const commented = ({ at }: ThreadPosition) =>
      `${term} in:comments is:public updated:>=${at} sort:updated-asc`
    const variables = {
      issues: created(from.issues),
      discussions: created(from.discussions),
      inIssues: commented(from.inIssues),
      inDiscussions: commented(from.inDiscussions),
    }
    const { data } = await askSource(ctx, serviceOf(ctx), {
      url,
      json: { query: document, variables },
      answer,
      signal,
    })
    const given = [...data.issues.nodes, ...data.discussions.nodes]
    const { rows, unread } = readRows(what, given, node, 'id')
    const now = ctx.now()
    const threads = {
      inIssues: readThreads(data.inIssues.nodes, from.inIssues, { now, pageMax }),
      inDiscussions: readThreads(data.inDiscussions.nodes, from.inDiscussions, { now, pageMax: threadsMax }),
    }
    const steps = {
      issues: stepOf(data.issues.nodes, from.issues, now),
      discussions: stepOf(data.discussions.nodes, from.discussions, now),
    }
    const next = {
      issues: steps.issues.at,
      discussions: steps.discussions.at,
      inIssues: threads.inIssues.next,
      inDiscussions: threads.inDiscussions.next,
    }
    const read = [threads.inIssues, threads.inDiscussions]
    return {
      posts: [...rows.map(postOfNode), ...read.flatMap(({ posts }) => posts)],
      unread: [...unread, ...read.flatMap((one) => one.unread)],
      cursor: JSON.stringify(next),
      isMore: [...Object.values(steps), ...read].some(({ isMore }) => isMore),
    }
  },
  recheck: (ctx, ids, signal) => recheckNodes(ctx, serviceOf(ctx), ids, signal),
  evidence: {
    gone: {
      statement: 'an error `NOT_FOUND` at the place of this node',
      source: 'docs.github.com/graphql, errors of `nodes`',
      readings: 1,
    },
    missing: { statement: 'never concluded', source: 'a null without an error says nothing', readings: 2 },
  },
}

function serviceOf(ctx: Pick<SourceContext, 'settings' | 'now'>): SourceService {
  const { GITHUB_TOKEN: token } = gitHubSettings.of(ctx)
  return {
    label: 'GitHub',
    headers: { authorization: `Bearer ${token}` },
    secrets: [token],
    keyNames: ['GITHUB_TOKEN'],
    inBand: (told) => inBand(told, ctx.now()),
    kindOf: (_, message) => (/rate limit/i.test(message) ? 'rate' : undefined),
  }
}

/** Returns where the next reading of one search begins. A full page continues at its newest post. */
function stepOf(
  given: readonly unknown[],
  from: string,
  now: Date,
): { readonly at: string; readonly isMore: boolean } {
  const times = given.flatMap((one) => (v.is(node, one) ? [Date.parse(one.createdAt)] : []))
  const newest = Math.min(Math.max(Date.parse(from), ...times), now.getTime())
  const isMore = given.length >= pageMax && newest > Date.parse(from)
  const at = isMore ? newest : Math.max(Date.parse(from), newest - repeatedMs)
  return { at: new Date(at).toISOString(), isMore }
}

/** Reads an error that GraphQL sends with status 200. */
function inBand({ json, headers }: ServiceAnswer, now: Date): ServiceFault | null {
  const said = v.safeParse(failure, json)
  if (!said.success) return null
  const [{ message, type }] = said.output.errors
  const kind = kinds[type ?? ''] ?? 'transient'
  const retryAfterMs = waitOf(headers, now)
  return new ServiceFault(kind, `GitHub refused: ${message}`.slice(0, 300), {
    code: type ?? 'failed',
    retryAfterMs,
  })
}

const postOfNode = ({ title, ...fields }: Node) => ({ ...postOfFields(fields), title })
