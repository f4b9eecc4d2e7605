import { withCore } from '../../core/product/core-plugins'
import { surfaceOf } from '../../core/registry/surface'
import { builtin } from '../../plugins/index'
import { sharedRegistry } from './shared-registry'

/** Everything that ships in the box, put together as the product does it. */
export const shippedRegistry = () => sharedRegistry(withCore(builtin))

/** What callers of the shipped product can reach. */
export const shippedSurface = () => surfaceOf(shippedRegistry())
