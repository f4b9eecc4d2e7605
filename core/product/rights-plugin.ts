import { definePlugin, personErasure } from '../kit'
import { PersonRequest } from '../tenancy/rights/PersonRequest'
import { personActs, personWork } from '../transfer/person/acts'

/** The rights of people: find, export and erase one person over the record types of all plugins. */
export const rights = definePlugin({
  name: 'rights',
  summary: 'Finds, exports and erases one person over all record types',
  renown: '^1.0.0',
  entities: [PersonRequest],
  extensionPoints: [personErasure],
  commands: Object.values(personActs).map(({ command }) => command),
  jobs: { personWork },
})
