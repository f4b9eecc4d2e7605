import { cookieOf } from '../../../auth/cookies'
import { refusedField } from '../../../kit/refused-field'
import { lookOf, lookPath, sides, themes } from '../../frame/desk/look'
import { ownPath } from '../../framework/forms'
import { defineRoute, type Route } from '../../framework/route'
import type { PersonPageDeps } from '../sign-in/person-pages'

const keptSeconds = 400 * 24 * 60 * 60

/** The form that changes the theme, or the width of the side bar. */
export const lookPages = ({ people }: Pick<PersonPageDeps, 'people'>): Route[] => [
  defineRoute({
    path: lookPath,
    method: 'POST',
    auth: 'session',
    back: '/app',
    async handle({ form, request, host, person, redirect }) {
      const before = lookOf(request, host, person)
      const theme = chosen('theme', form.get('theme') || before.theme, themes)
      const side = chosen('side', form.get('side') || before.side, sides)
      if (theme !== person.theme && form.get('theme') !== '') await people.setPreferences(person, { theme })
      const cookie = cookieOf('look', `${theme}.${side}`, host, keptSeconds)
      return redirect(ownPath(form.get('back')), [cookie])
    },
  }),
]

function chosen<Word extends string>(name: string, given: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === given)
  if (word !== undefined) return word
  throw refusedField(name, `\`${name}\` must be one of ${words.join(', ')}.`)
}
