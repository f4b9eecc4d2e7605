import { ServiceFault } from 'renown'
import { askSource, type Recheck, readRows, type SourceContext, type SourceService } from 'renown/leads'
import * as v from 'valibot'
import { postFields, postOfFields, what } from './comments'
import { gitHubSettings } from './settings'

const nodesMax = 100
const fields = 'id url bodyText createdAt lastEditedAt author { login url avatarUrl }'
const document = `query ($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Issue { title ${fields} }
    ... on PullRequest { title ${fields} }
    ... on Discussion { title ${fields} }
    ... on IssueComment { ${fields} }
    ... on DiscussionComment { ${fields} }
  }
}`

const answer = v.object({
  data: v.object({ nodes: v.array(v.unknown()) }),
  errors: v.optional(
    v.array(
      v.object({
        type: v.nullish(v.string()),
        message: v.string(),
        path: v.nullish(v.array(v.union([v.string(), v.number()]))),
      }),
    ),
  ),
})
const node = v.object({ ...postFields, title: v.optional(v.string()) })

/**
 * Reads stored posts again by their ids. GitHub answers `null` with an error `NOT_FOUND` at the place of a post that was deleted.
 * A `null` without it says nothing.
 */
export async function recheckNodes(
  ctx: SourceContext,
  service: SourceService,
  given: readonly string[],
  signal: AbortSignal,
): Promise<readonly Recheck[]> {
  const ids = given.slice(0, nodesMax)
  if (ids.length === 0) return []
  const { GITHUB_URL: url } = gitHubSettings.of(ctx)
  const { inBand: _, ...asked } = service
  const { data, errors = [] } = await askSource(
    ctx,
    { ...asked, inBand: (told) => (hasOnlyLost(told.json) ? null : (service.inBand?.(told) ?? null)) },
    { url, json: { query: document, variables: { ids } }, answer, signal },
  )
  if (data.nodes.length !== ids.length)
    throw new ServiceFault('transient', `${what} has another number of posts.`, { code: 'unreadable' })
  const lost = new Set(errors.flatMap(({ path }) => (path?.[0] === 'nodes' ? [path[1]] : [])))
  const { rows } = readRows(
    what,
    data.nodes.filter((one) => one !== null),
    node,
    'id',
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((source_id, index): Recheck[] => {
    if (data.nodes[index] === null) return lost.has(index) ? [{ source_id, state: 'gone' }] : []
    const row = known.get(source_id)
    if (row === undefined) return []
    const { title, ...found } = row
    const post = postOfFields(found)
    return [{ source_id, state: 'found', post: title === undefined ? post : { ...post, title } }]
  })
}

const lostOnly = v.object({
  data: v.object({ nodes: v.array(v.unknown()) }),
  errors: v.array(
    v.object({ type: v.literal('NOT_FOUND'), path: v.strictTuple([v.literal('nodes'), v.number()]) }),
  ),
})
const hasOnlyLost = (json: unknown) => v.is(lostOnly, json)
