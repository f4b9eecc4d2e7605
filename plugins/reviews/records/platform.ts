import { field } from 'renown'

/** The platforms that the API names even where none of their sources is loaded. */
export const namedPlatforms = ['google', 'facebook'] as const

/** A platform with reviews: Google, Facebook, or one that a plugin provides. */
export const platform = (description: string) => field.provided('reviews.source', namedPlatforms, description)
