import * as v from 'valibot'
import type { Row } from '../../contracts/entity'
import { type FacebookAsked, facebookFault, facebookRequest } from '../../contracts/facebook-api'
import { oneLine } from '../../contracts/one-line'
import type { OwnerContext } from '../../contracts/plugin'
import { isServiceFault, ServiceFault } from '../../contracts/service-fault'
import type { Connection } from '../../outbound/Connection'
import { type AccountListing, told, webAddress } from './listed'
import { allPages } from './pages'

type Ctx = Pick<OwnerContext, 'outbound' | 'settings'>

/** A Page that somebody manages, with what it is read by. */
export interface ManagedPage {
  readonly id: string
  readonly name: string
  readonly token: string
  /** What keeps reviews of it from being read or answered. */
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

/** Every Page that whoever gave the token manages and let this installation see. */
export const facebookPages = (ctx: Ctx, userToken: string): Promise<ManagedPage[]> =>
  allPages('Pages', async (after) => {
    const query = { fields: 'id,name,access_token,tasks', limit: String(pageSize) }
    const { data, paging } = await ask(ctx, userToken, "Facebook's list of Pages", pages, {
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

/** Asks for the page behind; null at the end. Facebook's own link is not followed: it holds the token. */
function nextOf(paging: v.InferOutput<typeof pages>['paging']): string | null {
  if (paging?.next === undefined) return null
  const after = paging.cursors?.after
  if (after) return after
  throw new ServiceFault('transient', 'Facebook says that there is a page behind, and not which one')
}

const cautionOf = (tasks: readonly string[] | undefined) =>
  tasks === undefined || tasks.includes('MODERATE')
    ? undefined
    : 'You may not moderate this Page: its recommendations can be neither read nor answered.'

const permissions = v.object({
  data: v.array(v.object({ permission: v.string(), status: v.string() })),
})

/** The permissions of `asked` that a person did not grant. Null when Facebook does not say. */
export async function facebookDeclined(
  ctx: Ctx,
  userToken: string,
  asked: readonly string[],
): Promise<readonly string[] | null> {
  try {
    const what = "Facebook's list of permissions"
    const { data } = await ask(ctx, userToken, what, permissions, { path: 'me/permissions' })
    const given = data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
    return asked.filter((permission) => !given.includes(permission))
  } catch (error) {
    if (isServiceFault(error)) return null
    throw error
  }
}

const place = v.optional(v.string())
const details = {
  ...{ name: place, category: place, website: place, phone: place },
  location: v.optional(
    v.object({
      ...{ street: place, city: place, state: place, zip: place, country: place },
      ...{ latitude: v.optional(v.number()), longitude: v.optional(v.number()) },
    }),
  ),
}

/** A connected Page is the one location of its connection. */
export async function facebookLocations(
  ctx: Ctx,
  { id, account_id }: Row<typeof Connection>,
): Promise<AccountListing> {
  const { connections } = ctx.outbound
  const fields = 'id,name,category,website,phone,location'
  const asked = { path: encodeURIComponent(account_id), query: { fields } }
  const form = v.object({ ...details, id: v.literal(account_id) })
  const token = await connections.token(id)
  const page = await ask(ctx, token, "Facebook's Page", form, asked).catch(async (error) => {
    // Page tokens are not renewed.
    if (isServiceFault(error) && error.kind === 'auth') await connections.fail(id, 'broken', error.message)
    throw error
  })
  const { name, category, website, phone, location = {} } = page
  const profile = told({
    business_name: oneLine(name, 300) || account_id,
    facebook_page_id: account_id,
    business_category: oneLine(category),
    website: webAddress(website),
    phone: oneLine(phone, 60),
    address_line1: oneLine(location.street),
    city: oneLine(location.city),
    state: oneLine(location.state),
    postal_code: oneLine(location.zip, 40),
    country: oneLine(location.country, 100),
    latitude: location.latitude,
    longitude: location.longitude,
  })
  const where = [profile.address_line1, profile.city, profile.country].filter(Boolean).join(', ')
  return { locations: [{ id: account_id, profile, place: where || undefined }], elsewhere: 0 }
}

const ask = <S extends v.GenericSchema>(
  ctx: Ctx,
  token: string,
  what: string,
  answer: S,
  asked: FacebookAsked,
): Promise<v.InferOutput<S>> =>
  ctx.outbound.ask({
    ...facebookRequest(ctx.settings, token, asked),
    ...{ what, answer, faultOf: facebookFault },
  })
