import { resolveTexts } from '../../contexts/references'
import type { AnyEntity } from '../../contracts/entity'
import { isRefusal, Refusal } from '../../contracts/errors'
import type { PageContext } from '../../contracts/page'
import { oncePer } from '../../kit/once-per'
import type { Registry } from '../../registry/registry'
import type { SignedIn } from './define-page'
import type { AppPageDeps } from './page-context'

/** Parameters about what was just done. Its record may be gone, and the page then says nothing about it. */
const notices = new Set(['undo', 'moved', 'done'])

/** Matches an id of any record type, as Renown makes them. */
export const wholeId = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/

/** Record types that addresses of pages can name, by the prefix of their ids. */
const namedTypes = oncePer(
  (registry: Registry) =>
    new Map(
      [...registry.entities.values()]
        .filter(({ namedIn, scope }) => namedIn && scope.by !== 'agency' && scope.by !== 'self')
        .map((entity): [string, AnyEntity] => [entity.idPrefix, entity]),
    ),
)

/** The ids of records in the address of a page. */
function idsIn(registry: Registry, query: URLSearchParams, own?: string) {
  const types = namedTypes(registry)
  return [...query].flatMap(([name, text]) => {
    const entity = types.get(wholeId.exec(text)?.[1] ?? '')
    return entity === undefined || name === own || notices.has(name) ? [] : [{ name, entity, text }]
  })
}

/**
 * Throws if the address of a page names a record that does not exist, or one of another workspace. Otherwise the page would show
 * the figures of something else. `own` is the parameter of the page's own record, which is looked up already.
 */
export async function requireNamedRecords(
  { context }: Pick<AppPageDeps, 'context'>,
  ctx: PageContext,
  query: URLSearchParams,
  own?: string,
): Promise<void> {
  const texts = idsIn(context.registry, query, own).map(({ name, entity, text }) => ({
    argument: name.slice(0, 40),
    at: { parameter: name.slice(0, 40) },
    entity,
    text,
    put: () => {},
  }))
  if (texts.length === 0) return
  const { workspace, credential } = ctx
  await resolveTexts(context, { workspace, credential }, texts).catch((error: unknown) => {
    throw isRefusal(error) ? ofPage(error) : error
  })
}

/** People choose a workspace in the menu, not by an argument. */
function ofPage({ code, message, details }: Refusal): Refusal {
  const { workspace_name: name } = details.extra ?? {}
  if (code === 'not_found')
    return new Refusal(
      code,
      'Your workspace has no record with the id in this address. It may be gone.',
      details,
    )
  if (code !== 'not_in_workspace' || name === undefined) return new Refusal(code, message, details)
  return new Refusal(code, `This page is about a record of ${name}. Choose that workspace first.`, details)
}

/**
 * Returns the workspace of the record for which an address was refused, if the person can choose it. A person who looks at the demo
 * can also choose workspaces of another agency.
 */
export async function workspaceNamedBy(
  { context, owner, places }: Pick<AppPageDeps, 'context' | 'owner' | 'places'>,
  error: unknown,
  { person, query, own }: Pick<SignedIn, 'person' | 'query'> & { readonly own?: string | undefined },
): Promise<string | null> {
  if (!isRefusal(error) || error.code !== 'not_in_workspace') return null
  const { workspace_id: id } = error.details.extra ?? {}
  if (typeof id === 'string') return id
  for (const { entity, text } of idsIn(context.registry, query, own)) {
    const row = entity.store === 'documents' ? await owner.rows(entity).get(text) : null
    const place = row && (await places.find(person, String(row.workspace_id)))
    if (place) return place.id
  }
  return null
}
