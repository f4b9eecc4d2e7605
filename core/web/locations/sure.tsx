/** @jsxImportSource ../jsx */
import { definePage, type Page, type SignedIn } from '../define-page'
import type { Children } from '../jsx/jsx-runtime'
import { sure } from '../settings/settings'
import { usedOf } from './capacity'
import { addressOf, findLocation, type LocationDeps, onePath, refuseDemo, surePath } from './location-deps'
import type { Location } from './standing'
import { type Sure, sures } from './working'

/** Asks before a location changes its standing. */
export const surePages = (deps: LocationDeps): Page[] => [
  definePage({
    path: surePath,
    method: 'GET',
    auth: 'session',
    only: 'owner',
    async handle(visit) {
      const found = await findLocation(deps, visit, visit.query.get('location') ?? '')
      refuseDemo(found.mayChange)
      const to = sures.find((each) => each === visit.query.get('to'))
      const address = addressOf(found.location.id)
      if (!to || !isOpen[to](found.location)) return visit.redirect(address)
      const used = await usedOf(deps, found.place)
      return ask(visit, found.location, to, used?.isFull === true)
    },
  }),
]

const isOpen: Readonly<Record<Sure, (location: Location) => boolean>> = {
  sign: ({ is_prospect }) => is_prospect,
  rest: ({ is_active, trial_state }) => is_active && trial_state !== 'trialing',
  cancel: ({ trial_state }) => trial_state === 'trialing',
}

const ask = (visit: SignedIn, location: Location, to: Sure, isFull: boolean) => {
  const { id, business_name: name } = location
  const words = wordsFor(to, name, isFull)
  return sure(visit, {
    ...words,
    action: `${onePath}/${to}`,
    hidden: { location: id, back: addressOf(id), ...(to === 'sign' && isFull ? { trial: 'yes' } : {}) },
    back: addressOf(id),
  })
}

interface Words {
  readonly title: string
  readonly button: string
  readonly kind?: 'primary'
  readonly children: Children
}

function wordsFor(to: Sure, name: string, isFull: boolean): Words {
  if (to === 'sign')
    return {
      title: `Sign ${name}?`,
      button: isFull ? `Sign ${name}, with a trial` : `Sign ${name}`,
      kind: 'primary',
      children: (
        <p>
          It becomes a client: its reviews are read from now on.{' '}
          {isFull
            ? 'All paid locations are in use, so that it begins with a trial. A business has one.'
            : 'It counts as a paid location.'}
        </p>
      ),
    }
  if (to === 'rest')
    return {
      title: `Put ${name} at rest?`,
      button: `Put ${name} at rest`,
      children: (
        <p>
          Nothing is read for it any more, and no review is answered. What was read stays, its paid place is
          free, and it can be activated again.
        </p>
      ),
    }
  return {
    title: `Cancel the trial of ${name}?`,
    button: `Cancel the trial of ${name}`,
    children: (
      <p>
        It is put at rest at once and kept. A business has one trial: it cannot have another, and comes back
        as a paid location.
      </p>
    ),
  }
}
