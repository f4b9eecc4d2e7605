import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { OwnerContext, SystemReads } from './owner'

/** Who asked for events: a credential, in one workspace. */
export interface EventSubscriber {
  readonly agency_id: string
  readonly workspace_id: string
  /** The credential: an agent key or the connection of an app. */
  readonly credential: string
  /** For an app: which one it is. It stays the same when a person connects the app again. */
  readonly client?: string
  /** For an agent key: when it was created. A later key is another one. */
  readonly key_minted_at?: string
}

/** What identifies a subscription: who asked for which events, and where they are sent. */
export interface EventSubscriptionKey {
  readonly subscriber: EventSubscriber
  readonly type: string
  readonly location_id?: string
  /** The callback. Its host is one that the owner allowed. */
  readonly url: string
}

/** A request to send events to a callback. */
export interface EventSubscriptionWish extends EventSubscriptionKey {
  /** Given by the client. Messages are signed with it. */
  readonly secret: string
  /** Where to begin: the id of an event, `start`, or null for now. */
  readonly cursor: string | null
  /** Earlier events are passed over (ISO 8601). */
  readonly since?: string
  readonly ttlMs: number
}

/**
 * Kinds of failures of a callback. They say nothing about its answers. `challenge_failed` also stands for an answer
 * that cannot be read.
 */
export const callbackFailures = [
  'connection_refused',
  'timeout',
  'tls_error',
  'http_4xx',
  'http_5xx',
  'challenge_failed',
] as const
/** A kind of failure of a callback. */
export type CallbackFailure = (typeof callbackFailures)[number]

/** An accepted subscription. */
export interface EventSubscriptionGrant {
  readonly id: string
  readonly refreshBefore: string
  /** Everything up to this position was delivered. */
  readonly cursor: string
  /** Whether events after the given cursor are missing. */
  readonly truncated: boolean
  /** How deliveries went. Only of a subscription that was renewed. */
  readonly deliveryStatus?: {
    readonly active: boolean
    readonly lastDeliveryAt: string | null
    readonly lastError: CallbackFailure | null
    readonly failedSince?: string
  }
}

/** A subscription, for the people of the agency. */
export interface ShownSubscription {
  readonly id: string
  readonly workspace_id: string
  readonly credential: string
  readonly type: string
  readonly location_id: string | null
  readonly host: string
  /**
   * `suspended`: the callback failed for long, and the events wait until the app renews the subscription. `stopped`: a
   * person stopped it, and it cannot begin again before a person allows that.
   */
  readonly state: 'active' | 'failing' | 'suspended' | 'stopped' | 'ended'
  readonly expires_at: string
  readonly delivered_at: string | null
  readonly delivered: number
  readonly failing_since: string | null
  readonly last_error: CallbackFailure | null
  readonly ended_reason: string | null
}

/**
 * Why a subscription was refused: too many, a person stopped it, or the callback did not prove that it expects events.
 */
export class EventDeliveryFault extends Error {
  readonly fault:
    | { readonly kind: 'exhausted'; readonly max: number }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'callback'; readonly reason: CallbackFailure }
  constructor(message: string, fault: EventDeliveryFault['fault']) {
    super(message)
    this.name = 'EventDeliveryFault'
    this.fault = fault
  }
}

/** Sends events to the callbacks of agents. */
export interface EventDelivery extends Extension {
  /** Creates a subscription or renews it. Throws an `EventDeliveryFault`. */
  subscribe(ctx: OwnerContext, wish: EventSubscriptionWish): Promise<EventSubscriptionGrant>
  /** Ends a subscription. False if there is none. */
  unsubscribe(ctx: OwnerContext, key: EventSubscriptionKey): Promise<boolean>
  /** Returns the subscriptions of an agency: those that run, then stopped and ended ones, newest first. */
  list(ctx: SystemReads, agencyId: string): Promise<readonly ShownSubscription[]>
  /**
   * Ends a subscription for a person and tells its callback. It cannot begin again before `allow`. False if there is
   * none, or it was stopped before.
   */
  stop(ctx: OwnerContext, agencyId: string, id: string): Promise<boolean>
  /** Lets a stopped subscription begin again when the app asks for it. False if there is none. */
  allow(ctx: OwnerContext, agencyId: string, id: string): Promise<boolean>
}

/** The extension point for sending events to the callbacks of agents. */
export const eventDelivery: ExtensionPoint<EventDelivery> = defineExtensionPoint<EventDelivery>({
  id: 'events.delivery',
  summary: 'Sends events to the callbacks of agents',
  shape: {
    subscribe: v.function(),
    unsubscribe: v.function(),
    list: v.function(),
    stop: v.function(),
    allow: v.function(),
  },
})
