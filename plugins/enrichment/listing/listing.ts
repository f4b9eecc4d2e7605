import type { PlatformProfile } from '../contract'

/** A platform's profile of a business, with its source and time. */
export interface Listing extends Required<Omit<PlatformProfile, 'unread'>>, Pick<PlatformProfile, 'unread'> {
  /** The name of the source. */
  readonly reader: string
  /** Identifies the profile: the name of the source and the platform's id. */
  readonly id: string
  readonly fetched_at: string
}

/** The values of a listing that its platform does not return. */
export const silentListing = {
  fields: {},
  about: '',
  services: [],
  attributes: [],
  hours: {},
  area: '',
  languages: [],
  socials: [],
  hasPlace: false,
  isServiceArea: false,
} as const satisfies Omit<Listing, 'reader' | 'id' | 'url' | 'fetched_at'>
