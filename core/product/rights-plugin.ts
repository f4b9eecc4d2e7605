import type { PluginDeclaration } from '../contracts/plugin'
import { definePlugin, personErasure } from '../kit'
import { PersonRequest } from '../tenancy/rights/PersonRequest'
import { entitiesByName, personActs, personWork } from '../transfer/person/acts'

/** The rights of people: find, export and erase one person over the record types of all plugins. */
export const rightsPlugin = (plugins: readonly PluginDeclaration[]): PluginDeclaration => {
  const acts = personActs(entitiesByName(plugins.flatMap(({ entities = [] }) => entities)))
  return definePlugin({
    name: 'rights',
    summary: 'Finds, exports and erases one person over all record types',
    renown: '^1.0.0',
    entities: [PersonRequest],
    extensionPoints: [personErasure],
    commands: Object.values(acts).map(({ command }) => command),
    jobs: { personWork },
  })
}
