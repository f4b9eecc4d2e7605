import { askForPassword, confirmPath } from '../../frame/ask-for-password'
import { ownPath, unpackForm } from '../../framework/forms'
import { defineRoute, type Route } from '../../framework/route'
import { note, ownPasswordFault, type PersonPageDeps } from './person-pages'

/** Asks for the password again before an important action. */
export const confirmPages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path: confirmPath,
    method: 'GET',
    auth: 'session',
    handle: (visit) => askForPassword(visit, { next: ownPath(visit.query.get('next')) }),
  }),
  defineRoute({
    path: confirmPath,
    method: 'POST',
    auth: 'session',
    async handle(visit) {
      const { form } = visit
      const next = ownPath(form.get('next'))
      const to = form.get('to')
      const held = form.get('held')
      const fault = await ownPasswordFault(deps, visit, form.get('password'))
      if (fault !== null) return askForPassword(visit, to === '' ? { next } : { next, to, held }, fault)
      const renewed = await deps.sessions.renew(visit.session)
      if (!renewed) return visit.redirect('/app/sign-in')
      await note(deps, visit, visit.person, 'confirm')
      if (to === '') return visit.redirect(next, [renewed.cookie])
      const answer = await visit.pass(to, unpackForm(held), renewed.session)
      answer.headers.append('set-cookie', renewed.cookie)
      return answer
    },
  }),
]
