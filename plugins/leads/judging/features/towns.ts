import type { SetFeature } from './feature'
import type { ReadPost } from './read-post'
import towns from './towns.json'
import { createListFinder } from './word-list'

/** Finds well known towns and countries. */
const townWords = createListFinder(towns, { endingMax: 3, prefixes: ['ب', 'ل', 'و'] })
const townMin = 3
const beginMin = 4
const endingMax = 4

/** Whether the post names the town of the business, or another place. */
export function townFeatures({ words, business, isName }: ReadPost, set: SetFeature): void {
  const isTown = (plain: string) => business.town.some((part) => isTownForm(plain, part))
  const at = words.findIndex(({ plain }) => isTown(plain))
  set('town', at >= 0 ? 1 : 0, { at, to: at + 1 })
  const hits = [...townWords.find(words).values()].flat()
  const other = hits.find((hit) => !isTown(words[hit.at]?.plain ?? '') && !isName(hit.at))
  set('other_place', other ? 1 : 0, other)
}

const isTownForm = (plain: string, part: string) =>
  part.length >= townMin &&
  (plain === part ||
    (plain.startsWith(part.slice(0, Math.max(beginMin, part.length - 2))) &&
      plain.length <= part.length + endingMax))
