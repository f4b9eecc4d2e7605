import { allPages, isServiceFault, oneLine, ServiceFault } from 'renown'
import type { ProviderContext } from 'renown/sources'
import * as v from 'valibot'
import { askGraph } from './graph'

/** A Page that a person manages, with its token. */
export interface ManagedPage {
  readonly id: string
  readonly name: string
  readonly token: string
  /** Why its reviews cannot be read or answered. */
  readonly caution: string | undefined
}

const pageSize = 100

const pages = v.object({
  data: v.array(
    v.object({
      id: v.pipe(v.string(), v.regex(/^\d{1,40}$/)),
      name: v.optional(v.string()),
      access_token: v.optional(v.string()),
      tasks: v.optional(v.array(v.string())),
    }),
  ),
  paging: v.optional(
    v.object({
      cursors: v.optional(v.object({ after: v.optional(v.string()) })),
      next: v.optional(v.string()),
    }),
  ),
})

/** Returns every Page that the token's person manages and allowed this installation to see. */
export const managedPages = (ctx: ProviderContext, userToken: string): Promise<ManagedPage[]> =>
  allPages('Pages', async (after) => {
    const query = { fields: 'id,name,access_token,tasks', limit: String(pageSize) }
    const { data, paging } = await askGraph(ctx, userToken, {
      what: "Facebook's list of Pages",
      answer: pages,
      path: 'me/accounts',
      query: after === null ? query : { ...query, after },
    })
    return {
      items: data.flatMap(({ id, name, access_token, tasks }) =>
        access_token === undefined
          ? []
          : [{ id, name: oneLine(name) || id, token: access_token, caution: cautionOf(tasks) }],
      ),
      next: nextOf(paging),
    }
  })

/**
 * Returns the cursor of the next page, or null on the last one. Facebook's own link is not followed, because it
 * contains the token.
 */
function nextOf(paging: v.InferOutput<typeof pages>['paging']): string | null {
  if (paging?.next === undefined) return null
  const after = paging.cursors?.after
  if (after) return after
  throw new ServiceFault('transient', 'Facebook says that there is another page of results, but not where')
}

const cautionOf = (tasks: readonly string[] | undefined) =>
  tasks === undefined || tasks.includes('MODERATE')
    ? undefined
    : 'You may not moderate this Page, so Renown cannot read or answer its recommendations.'

const permissions = v.object({
  data: v.array(v.object({ permission: v.string(), status: v.string() })),
})

/** Returns the permissions of `asked` that a person did not grant. Null if Facebook does not say. */
export async function declinedPermissions(
  ctx: ProviderContext,
  userToken: string,
  asked: readonly string[],
): Promise<readonly string[] | null> {
  try {
    const what = "Facebook's list of permissions"
    const { data } = await askGraph(ctx, userToken, { path: 'me/permissions', what, answer: permissions })
    const given = data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
    return asked.filter((permission) => !given.includes(permission))
  } catch (error) {
    if (isServiceFault(error)) return null
    throw error
  }
}
