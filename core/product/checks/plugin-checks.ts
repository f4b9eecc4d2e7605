import { messageOf } from '../../contracts/errors'
import type { OwnerContext } from '../../contracts/owner'
import { type Check, selfCheck } from '../../contracts/self-check'
import { advice } from './advice'

const waitMs = 60_000

/** Runs the checks that plugins add. One that throws has failed, under its own name. */
export async function pluginChecks(owner: OwnerContext): Promise<Check[]> {
  const found = owner.extensions(selfCheck).map(async (check): Promise<readonly Check[]> => {
    try {
      return await check.run(owner, AbortSignal.timeout(waitMs))
    } catch (error) {
      const found = messageOf(error)
      return [{ name: check.name, status: 'fail', found, mend: advice.readLog }]
    }
  })
  return (await Promise.all(found)).flat()
}
