import { resolveTexts } from '../contexts/references'
import type { AnyEntity } from '../contracts/entity'
import { isRefusal, Refusal } from '../contracts/errors'
import type { PageContext } from '../contracts/page'
import { oncePer } from '../kit/once-per'
import type { Registry } from '../registry/registry'
import type { AppPageDeps } from './page-context'

/** Parameters about what was just done. Its record may be gone, and the page then says nothing about it. */
const notices = new Set(['undo', 'moved', 'done', 'workspace'])

/** Matches an id of any record type, as Renown makes them. */
const wholeId = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/

/** Record types that addresses of pages can name, by the prefix of their ids. */
const namedTypes = oncePer(
  (registry: Registry) =>
    new Map(
      [...registry.entities.values()]
        .filter(({ namedIn, scope }) => namedIn && scope.by !== 'agency' && scope.by !== 'self')
        .map((entity): [string, AnyEntity] => [entity.idPrefix, entity]),
    ),
)

/**
 * Throws if the address of a page names a record that does not exist, or one of another workspace, so that the page never shows
 * the figures of something else. `own` is the parameter of the page's own record, which is looked up already.
 */
export async function requireNamedRecords(
  { context }: Pick<AppPageDeps, 'context'>,
  ctx: PageContext,
  query: URLSearchParams,
  own?: string,
): Promise<void> {
  const types = namedTypes(context.registry)
  const texts = [...query].flatMap(([name, text]) => {
    const entity = types.get(wholeId.exec(text)?.[1] ?? '')
    if (entity === undefined || name === own || notices.has(name)) return []
    return [
      { argument: name.slice(0, 40), at: { parameter: name.slice(0, 40) }, entity, text, put: () => {} },
    ]
  })
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

/** Returns the workspace that has the record of a refusal, if the person can choose it. */
export function workspaceNamedBy(error: unknown): string | null {
  if (!isRefusal(error) || error.code !== 'not_in_workspace') return null
  const { workspace_id: id } = error.details.extra ?? {}
  return typeof id === 'string' ? id : null
}
