import { type PlacedText, resolveTexts } from '../../contexts/references'
import type { AnyEntity } from '../../contracts/entity'
import { isRefusal, Refusal } from '../../contracts/errors'
import type { PageContext } from '../../contracts/page'
import { oncePer } from '../../kit/once-per'
import type { Registry } from '../../registry/registry'
import type { AppPageDeps } from './page-context'
import type { SignedIn } from './route'

/** Parameters about what was just done. Its record may be gone, and the page then says nothing about it. */
const notices = new Set(['undo', 'moved', 'done'])

/** Matches an id of any record type, as Renown makes them. */
const wholeId = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/

/** Record types of workspaces, by the prefix of their ids. If two share one, it is that which people name. */
const typesByPrefix = oncePer(
  (registry: Registry) =>
    new Map(
      [...registry.entities.values()]
        .filter(({ scope }) => scope.by !== 'agency' && scope.by !== 'self')
        .toSorted((a, b) => Number(a.namedIn !== undefined) - Number(b.namedIn !== undefined))
        .map((entity): [string, AnyEntity] => [entity.idPrefix, entity]),
    ),
)

/** A record that the address of a page names. One that does not exist may be left to the page, which says so in its own words. */
type NamedRecord = Omit<PlacedText, 'put'>

/** The records that the address of a page names: by an id, or by an id behind the name of a source, as entries of the inbox are. */
function recordsIn(registry: Registry, query: URLSearchParams, own?: string): NamedRecord[] {
  const types = typesByPrefix(registry)
  return [...query].flatMap(([name, value]): NamedRecord[] => {
    const text = value.slice(value.lastIndexOf('~') + 1)
    const entity = types.get(wholeId.exec(text)?.[1] ?? '')
    if (entity === undefined || name === own || notices.has(name)) return []
    const argument = name.slice(0, 40)
    const isBatch = text !== value || !entity.namedIn
    return [{ argument, at: { parameter: argument }, entity, text, isBatch }]
  })
}

/** Whether an address names a record, whose workspace only the page can find. */
export const namesRecord = (query: URLSearchParams): boolean =>
  [...query.values()].some((text) => wholeId.test(text.slice(text.lastIndexOf('~') + 1)))

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
  const texts = recordsIn(context.registry, query, own).map((one) => ({ ...one, put: () => {} }))
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
  for (const { entity, text } of recordsIn(context.registry, query, own)) {
    const row = entity.store === 'documents' ? await owner.rows(entity).get(text) : null
    const place = row && (await places.find(person, String(row.workspace_id)))
    if (place) return place.id
  }
  return null
}
