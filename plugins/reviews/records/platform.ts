import { field } from 'renown'

/** A platform with reviews: Google, Facebook, or one that a plugin provides. */
export const platform = (description: string) =>
  field.provided('reviews.source', ['google', 'facebook'], description)
