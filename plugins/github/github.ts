import { minuteMs, type ServiceAnswer, ServiceFault } from 'renown'
import {
  askSource,
  cursorIn,
  instantForm,
  type MentionSource,
  postOf,
  publicPolicy,
  readRows,
  type SourceService,
  waitOf,
} from 'renown/leads'
import * as v from 'valibot'
import { gitHubSettings } from './settings'

const what = 'The answer of GitHub'
const pageMax = 100
/** GitHub finds a post some minutes after it was written. So each reading repeats this time. */
const repeatedMs = 10 * minuteMs

const fields = 'id url title bodyText createdAt lastEditedAt author { login url avatarUrl }'
const document = `query ($issues: String!, $discussions: String!) {
  issues: search(type: ISSUE, query: $issues, first: ${pageMax}) { nodes { ... on Issue { ${fields} } ... on PullRequest { ${fields} } } }
  discussions: search(type: DISCUSSION, query: $discussions, first: ${pageMax}) { nodes { ... on Discussion { ${fields} } } }
}`

const position = v.object({ issues: instantForm, discussions: instantForm })
const nodes = v.object({ nodes: v.array(v.unknown()) })
const answer = v.object({ data: v.object({ issues: nodes, discussions: nodes }) })
const node = v.object({
  ...{ id: v.pipe(v.string(), v.minLength(1)), url: v.string(), title: v.string(), bodyText: v.string() },
  ...{ createdAt: instantForm, lastEditedAt: v.nullish(instantForm) },
  author: v.nullish(v.object({ login: v.string(), url: v.string(), avatarUrl: v.string() })),
})
type Node = v.InferOutput<typeof node>

const failure = v.object({
  errors: v.tupleWithRest([v.object({ message: v.string(), type: v.nullish(v.string()) })], v.unknown()),
})
const kinds: Readonly<Record<string, ServiceFault['kind']>> = {
  ...{ RATE_LIMITED: 'rate', FORBIDDEN: 'permission', INSUFFICIENT_SCOPES: 'permission' },
}

/** Issues, pull requests and discussions of public repositories, by their title and first text. */
export const gitHub: MentionSource = {
  ...{ name: 'github', label: 'GitHub', channels: ['forum'], reach: 'search', everyMs: 15 * minuteMs },
  policy: {
    ...publicPolicy,
    terms_url:
      'https://docs.github.com/en/site-policy/acceptable-use-policies/github-acceptable-use-policies',
  },
  // GitHub allows 30 searches a minute, and a reading makes two.
  perHour: () => 800,
  needs: (ctx) => (gitHubSettings.of(ctx).GITHUB_TOKEN === '' ? ['GITHUB_TOKEN'] : []),
  async read(ctx, { target, cursor, since, signal }) {
    const { GITHUB_URL: url, GITHUB_TOKEN: token } = gitHubSettings.of(ctx)
    const from = cursorIn(position, cursor) ?? { issues: since, discussions: since }
    const queryOf = (at: string) =>
      `"${target.replaceAll('"', ' ')}" is:public created:>=${at} sort:created-asc`
    const variables = { issues: queryOf(from.issues), discussions: queryOf(from.discussions) }
    const service: SourceService = {
      ...{ label: 'GitHub', headers: { authorization: `Bearer ${token}` }, secrets: [token] },
      ...{ keyNames: ['GITHUB_TOKEN'], inBand: (told) => inBand(told, ctx.now()) },
      kindOf: (_, message) => (/rate limit/i.test(message) ? 'rate' : undefined),
    }
    const { data } = await askSource(ctx, service, {
      url,
      json: { query: document, variables },
      answer,
      signal,
    })
    const given = [...data.issues.nodes, ...data.discussions.nodes]
    const { rows, unread } = readRows(what, given, node, 'id')
    const steps = {
      issues: stepOf(data.issues.nodes, from.issues, ctx.now()),
      discussions: stepOf(data.discussions.nodes, from.discussions, ctx.now()),
    }
    const next = { issues: steps.issues.at, discussions: steps.discussions.at }
    const isMore = steps.issues.isMore || steps.discussions.isMore
    return { posts: rows.map(postOfNode), unread, cursor: JSON.stringify(next), isMore }
  },
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

function postOfNode({ id, url, title, bodyText, createdAt, lastEditedAt, author }: Node) {
  return postOf({
    ...{
      source_id: id,
      channel: 'forum',
      url,
      title,
      body: bodyText,
      posted_at: createdAt,
      edited_at: lastEditedAt,
    },
    author: { handle: author?.login, url: author?.url, avatar_url: author?.avatarUrl },
  })
}
