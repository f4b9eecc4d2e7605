import { type Fault, type OwnerContext, Refusal, where } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import type { LocationRow } from './find-location'

const platforms = ['google_location_id', 'google_place_id', 'facebook_page_id'] as const

type Told = Partial<
  Pick<
    LocationRow,
    (typeof platforms)[number] | 'google_account_id' | 'source' | 'added_via' | 'website' | 'country'
  >
>

/**
 * Returns Google's ids in one form, the platform, and how the business was added: as given, or else derived
 * from the ids. Throws if fields contradict each other.
 */
export function origins(given: Told): Told {
  const told = inOneForm(given)
  const { google_account_id, google_location_id, google_place_id, facebook_page_id } = told
  const isGoogle = (google_location_id ?? google_place_id) !== undefined
  const source = facebook_page_id !== undefined ? 'facebook' : isGoogle ? 'google' : told.source
  const added_via = told.added_via ?? viaOf(told)
  const faults: Fault[] = []
  const fault = (name: string, code: string, message: string) =>
    faults.push({ pointer: `/${name}`, code, message })
  if (facebook_page_id !== undefined && google_location_id !== undefined) {
    fault(
      'facebook_page_id',
      'exclusive',
      'cannot be combined with google_location_id: add the Facebook Page and the Google listing of a business as two locations',
    )
  }
  if (told.source !== undefined && told.source !== source) {
    fault('source', 'invalid', `these ids belong to the source ${source}`)
  }
  if (google_location_id !== undefined && google_account_id === undefined) {
    fault('google_account_id', 'required', 'required with google_location_id: the id of its Google account')
  }
  for (const name of added_via === undefined ? [] : needs[added_via]) {
    const isSaid = faults.some(({ pointer }) => pointer === `/${name}`)
    if (told[name] === undefined && !isSaid)
      fault(name, 'required', `required: ${viaWords[added_via ?? 'website']}`)
  }
  if (faults.length > 0) {
    const names = faults.map(({ pointer = '' }) => pointer.slice(1)).join(', ')
    throw new Refusal('invalid_field', `These fields cannot be used together: ${names}.`, {
      errors: faults,
    })
  }
  return {
    ...told,
    ...(source === undefined ? {} : { source }),
    ...(added_via === undefined ? {} : { added_via }),
  }
}

const needs = {
  gbp_oauth: ['google_account_id', 'google_location_id'],
  places: ['google_place_id'],
  website: ['website'],
  dfs_keyword: ['country'],
} as const satisfies Record<NonNullable<Told['added_via']>, readonly (keyof Told)[]>

/** Why an id is required, as text for pages. */
const viaWords = {
  gbp_oauth: 'it was added from a Google account',
  places: 'it was added by its place on Google',
  website: 'it was added by its website',
  dfs_keyword: 'it was found by a search within a country',
} as const satisfies Record<keyof typeof needs, string>

const idWords = {
  google_location_id: 'listing on Google',
  google_place_id: 'Google place id',
  facebook_page_id: 'Facebook Page',
} as const satisfies Record<(typeof platforms)[number], string>

/** Returns how a location was added. A Page's id is enough. */
function viaOf({ google_location_id, google_place_id, facebook_page_id, website }: Told): Told['added_via'] {
  if (google_location_id !== undefined) return 'gbp_oauth'
  if (facebook_page_id !== undefined) return undefined
  if (google_place_id !== undefined) return 'places'
  return website === undefined ? undefined : 'website'
}

/** Returns `accounts/111` and `locations/222` from any typed form. */
function inOneForm(told: Told): Told {
  const { google_account_id, google_location_id } = told
  const held = /^(accounts\/[^/]+)\/locations\//.exec(google_location_id ?? '')?.[1]
  const account = google_account_id === undefined ? held : `accounts/${last(google_account_id)}`
  return {
    ...told,
    ...(account === undefined ? {} : { google_account_id: account }),
    ...(google_location_id === undefined
      ? {}
      : { google_location_id: `locations/${last(google_location_id)}` }),
  }
}

const last = (id: string) => id.split('/').at(-1) ?? id

/** Throws if another location of the workspace has the same platform id. Call it under the agency's lock. */
export async function refuseTwin(
  ctx: OwnerContext,
  workspaceId: string,
  told: Told,
  ownId?: string,
): Promise<void> {
  const others = ownId === undefined ? [] : [where.ne('id', ownId)]
  for (const name of platforms) {
    const id = told[name]
    if (id === undefined) continue
    const same = where.in(name, name === 'google_location_id' ? [id, last(id)] : [id])
    const inside = where.and(where.eq('workspace_id', workspaceId), same, ...others)
    const [twin] = await ctx.rows(BusinessLocation).list({ where: inside, limit: 1 })
    if (twin) throw twinRefusal(name, twin)
  }
}

function twinRefusal(name: (typeof platforms)[number], twin: LocationRow): Refusal {
  const hint = twin.is_prospect
    ? `It is a prospect: \`location sign ${twin.id}\` makes it a client.`
    : twin.is_active
      ? `\`location update ${twin.id}\` changes it.`
      : `\`location activate ${twin.id}\` resumes it.`
  return new Refusal(
    'conflict',
    `${twin.business_name} (${twin.id}) already has the same ${idWords[name]}.`,
    {
      hint,
      extra: { location_id: twin.id },
      errors: [
        { pointer: `/${name}`, code: 'taken', message: `already used by ${twin.business_name} (${twin.id})` },
      ],
    },
  )
}
