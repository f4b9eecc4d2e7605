import type { PlatformProfile } from '../contract'

/** A platform's profile of a business, with who was asked and when. */
export interface Listing extends Required<Omit<PlatformProfile, 'unread'>>, Pick<PlatformProfile, 'unread'> {
  /** The name of the source that was asked. */
  readonly reader: string
  /** Which profile it is: the name of the source and the platform's id. */
  readonly id: string
  readonly fetched_at: string
}

/** What a listing says where its platform says nothing. */
export const silentListing = {
  ...{ fields: {}, about: '', services: [], attributes: [], hours: {}, area: '', languages: [], socials: [] },
  ...{ hasPlace: false, isServiceArea: false },
} as const satisfies Omit<Listing, 'reader' | 'id' | 'url' | 'fetched_at'>
