import { gatewayPlugin } from '../../core/product/gateway-plugin'
import { proposalsPlugin } from '../../core/product/proposals-plugin'
import { tenancy } from '../../core/product/tenancy-plugin'
import { createRegistry } from '../../core/registry/registry'
import { surfaceOf } from '../../core/registry/surface'
import { builtin } from '../../plugins/index'

/** Everything that ships in the box, put together as the product does it. */
export const shippedRegistry = () =>
  createRegistry([gatewayPlugin, tenancy, proposalsPlugin(builtin), ...builtin])

/** What callers of the shipped product can reach. */
export const shippedSurface = () => surfaceOf(shippedRegistry())
