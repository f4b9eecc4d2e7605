import { actCommands, definePlugin } from '../../kit'
import { Session } from '../Session'
import { listPeople, memberActs } from './member-commands'
import { OwnerLink } from './OwnerLink'
import { ownerLink } from './owner-link'
import { SignInAttempts } from './SignInAttempts'
import { SignInStep } from './SignInStep'

/** Stores people who sign in, and gives the owner access from the command line. */
export const people = definePlugin({
  name: 'people',
  summary: 'People who sign in, their sessions and their protection',
  renown: '^1.0.0',
  entities: [Session, SignInStep, SignInAttempts, OwnerLink],
  commands: [...actCommands([ownerLink, ...memberActs]), listPeople],
})
