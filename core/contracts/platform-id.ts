import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'

/** The fields of a location that hold ids of platforms. */
export const platformIdFields = [
  'google_place_id',
  'google_account_id',
  'google_location_id',
  'facebook_page_id',
  'platform_id',
] as const

/** A field of a location that holds an id of a platform. */
export type PlatformIdField = (typeof platformIdFields)[number]

/** Ids of a location on platforms, by field. */
export type PlatformIds = { readonly [Field in PlatformIdField]?: string | undefined }

/** How an id is written. */
export interface IdForm {
  /** Its name for people, such as `Google place id`. */
  readonly label: string
  readonly pattern: RegExp
  /** A correct id in words, such as `a location such as locations/222`. */
  readonly example: string
}

/** A further field that belongs to an id, such as the account that manages a listing. */
export interface PlatformIdPart extends IdForm {
  readonly field: PlatformIdField
  /** Whether a location with the id must have it too. */
  readonly isRequired: boolean
  /** Returns the value as it is stored. `id` may contain it. Default: the value as given. */
  normal?(value: string | undefined, id: string | undefined): string | undefined
}

/** How people find an id before they type it. */
export interface TypedId {
  /** What the id is for. */
  readonly hint: string
  /** A page that finds it. */
  readonly finder?: { readonly label: string; readonly href: string; readonly hint: string }
}

/** How the sample businesses of the demo have an id. */
export interface DemoIds {
  /** The kind of sample businesses that have it: those on a map, or those with a page of their own. */
  readonly listing: 'map' | 'page'
  /** Returns the ids of a sample business. */
  ids(key: string): PlatformIds
}

/** An id that a location may have on a platform. */
export interface PlatformId extends Extension, IdForm {
  /** Sort position. Of several ids of a location, the first decides its source. */
  readonly order: number
  /** The platform: `source` of a location with this id. */
  readonly source: string
  /** The field with the id. Default: `platform_id`, which holds the `name` and the id, such as `guild:shop-1`. */
  readonly field?: Exclude<PlatformIdField, 'platform_id'>
  readonly parts?: readonly PlatformIdPart[]
  /**
   * Whether it is the id of the listing that a location is managed by. A location has at most one such id, and the first
   * fixes its platform.
   */
  readonly isListing: boolean
  /** The connection that lists locations by this id. For an id without a field, Renown sets it on import. */
  readonly provider?: string
  /** `added_via` of a location with this id, and its words, such as `a connected Google account`. */
  readonly added?: { readonly via: 'gbp_oauth' | 'places'; readonly from: string }
  /** Returns the part of an id that identifies the business, in any way it is written. Default: the id itself. */
  keyOf?(id: string): string
  /** Returns every way in which a key may be stored. New ids are stored in the first. Default: the key itself. */
  storedAs?(key: string): readonly string[]
  /** Whether a location with this id is read with a connected account. Default: whether it is a listing. */
  isConnected?(location: PlatformIds & { readonly added_via?: string | undefined }): boolean
  readonly demo?: DemoIds
  /** Shows an input for the id where people add or edit a location. It has no effect on an id without a field. */
  readonly typed?: TypedId
}

const text = v.pipe(v.string(), v.minLength(1))
const form = { label: text, pattern: v.instance(RegExp), example: text }

/** The extension point for ids of locations on platforms. */
export const platformId: ExtensionPoint<PlatformId> = defineExtensionPoint<PlatformId>({
  id: 'locations.id',
  summary: 'An id that a location may have on a platform',
  shape: {
    ...form,
    order: v.number(),
    source: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'such as guild')),
    field: v.optional(v.picklist(platformIdFields.filter((field) => field !== 'platform_id'))),
    parts: v.optional(
      v.array(v.looseObject({ ...form, field: v.picklist(platformIdFields), isRequired: v.boolean() })),
    ),
    isListing: v.boolean(),
    provider: v.optional(text),
    added: v.optional(v.looseObject({ via: v.picklist(['gbp_oauth', 'places']), from: text })),
    keyOf: v.optional(v.function()),
    storedAs: v.optional(v.function()),
    isConnected: v.optional(v.function()),
    demo: v.optional(v.looseObject({ listing: v.picklist(['map', 'page']), ids: v.function() })),
    typed: v.optional(
      v.looseObject({
        hint: text,
        finder: v.optional(v.strictObject({ label: text, href: v.pipe(v.string(), v.url()), hint: text })),
      }),
    ),
  },
})
