// Delivers changes of tables to the channels that subscribed to them. changes.sql decides who may see which change.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Engine } from '../../engine.ts';
import { type ChangeRequest, describeChangeRequest } from './change-request.ts';
import { type ChangeDelivery, changeDelivery } from '../wire/delivery.ts';
import type { Identity } from '../../keys/token.ts';

/** One entry of a channel's `postgres_changes`. */
export type ChangeSubscription = {
  /** The id that the database knows. */
  readonly key: string;
  /** The id that the client knows. */
  readonly id: number;
  readonly request: ChangeRequest;
};

/** Implemented by channels. `ids` are the listener's subscriptions that the change matches. */
export type ChangeListener = { readonly deliverChange: (change: ChangeDelivery, ids: readonly number[]) => void };

export type ChangeFeed = {
  /**
   * Registers all subscriptions or none, and replaces earlier ones with the same keys. The error is meant for the
   * client.
   */
  readonly subscribe: (
    listener: ChangeListener,
    identity: Identity,
    subscriptions: readonly ChangeSubscription[],
  ) => Promise<Result<void, string>>;
  readonly unsubscribe: (subscriptions: readonly ChangeSubscription[]) => void;
  /** Delivers the changes whose notifications were lost, and resolves afterwards. */
  readonly catchUp: () => Promise<void>;
  /** Once resolved, no committed change is missed. Rejects when the server cannot listen to the database. */
  readonly ready: Promise<void>;
  readonly stop: () => Promise<void>;
};

export const newSubscription = (id: number, request: ChangeRequest): ChangeSubscription => ({
  key: randomUUID(),
  id,
  request,
});

const CHANNEL = 'realtime_changes';
/** Rows per statement, so that a large transaction does not keep others waiting for the database. */
const CHANGES_AT_ONCE = 100;
const UNABLE = 'Unable to subscribe to changes with given parameters.';

export function openChangeFeed(pg: Engine, log: (line: string) => void): ChangeFeed {
  const targets = new Map<string, { readonly listener: ChangeListener; readonly id: number }>();
  /** Tasks run one after the other, so that transactions are delivered in the order of their commits. */
  let work: Promise<unknown> = Promise.resolve();
  const inOrder = (task: () => Promise<void>, what: string) => {
    work = work.then(task).catch((error: unknown) => log(`${what}: ${String(error)}`));
  };

  async function deliverTransaction(transactionId: string): Promise<void> {
    let isMore = true;
    while (isMore) {
      isMore = false;
      const { rows } = await pg
        .query('select data, subscribers from realtime.take_changes($1, $2::int)', [transactionId, CHANGES_AT_ONCE])
        .catch(async (error: unknown) => {
          // Remove them: nobody would ever fetch them again.
          await pg.query('delete from realtime.change where xid = $1::xid8', [transactionId]);
          throw error;
        });
      for (const { data, subscribers } of v.parse(changesSchema, rows)) {
        if (data === null || subscribers === null) isMore = true;
        else deliver(data, subscribers);
      }
    }
  }

  function deliver(data: string, keys: readonly string[]): void {
    const receivers = new Map<ChangeListener, number[]>();
    for (const key of keys) {
      // The channel has ended in the meantime.
      const target = targets.get(key);
      if (target === undefined) continue;
      const ids = receivers.get(target.listener);
      if (ids === undefined) receivers.set(target.listener, [target.id]);
      else ids.push(target.id);
    }
    const change = changeDelivery(data);
    for (const [listener, ids] of receivers) listener.deliverChange(change, ids);
  }

  async function subscribe(
    identity: Identity,
    subscriptions: readonly ChangeSubscription[],
  ): Promise<Result<void, string>> {
    // The subscription that made the transaction fail; the others are rolled back with it.
    let current = '';
    try {
      return await pg.transaction(async (tx) => {
        for (const { key, request } of subscriptions) {
          current = describeChangeRequest(request);
          const { rows } = await tx.query(
            `select realtime.subscribe_to_changes(
               $1::uuid, $2::jsonb, $3, $4, $5, $6::jsonb, $7::text[]
             ) as tables`,
            [
              key,
              JSON.stringify({ ...identity.claims, role: identity.role }),
              ...[request.action, request.schema, request.table],
              JSON.stringify(request.filters),
              request.columns,
            ],
          );
          const [{ tables } = { tables: 0 }] = v.parse(tablesSchema, rows);
          if (tables > 0) continue;
          await tx.rollback();
          return err(`${UNABLE} Please check Realtime is enabled for the given connect parameters: [${current}]`);
        }
        return ok(undefined);
      });
    } catch (error) {
      return err(
        `${UNABLE} An exception happened so please check your connect parameters: [${current}]. Exception: ${postgrexMessage(error)}`,
      );
    }
  }

  async function start(): Promise<void> {
    // Rows left by a server that crashed: nobody fetches its changes any more.
    await pg.exec('delete from realtime.subscription; delete from realtime.change');
  }

  const enqueue = (transactionId: string) =>
    inOrder(() => deliverTransaction(transactionId), `changes of ${transactionId} were lost`);

  async function deliverWaiting(): Promise<void> {
    const { rows } = await pg.query('select xid::text as xid from realtime.change group by xid order by min(id)');
    for (const { xid } of v.parse(transactionsSchema, rows)) await deliverTransaction(xid);
  }

  const listening = start().then(() => pg.listen(CHANNEL, enqueue));
  listening.catch(() => {});

  return {
    ready: listening.then(() => undefined),
    async subscribe(listener, identity, subscriptions) {
      for (const { key, id } of subscriptions) targets.set(key, { listener, id });
      const outcome = await subscribe(identity, subscriptions);
      if (!outcome.ok) for (const { key } of subscriptions) targets.delete(key);
      return outcome;
    },
    unsubscribe(subscriptions) {
      const keys = subscriptions.map(({ key }) => key);
      for (const key of keys) targets.delete(key);
      inOrder(async () => {
        await pg.query('delete from realtime.subscription where subscription_id = any ($1::uuid[])', [keys]);
      }, 'a subscription to changes was not removed');
    },
    async catchUp() {
      inOrder(deliverWaiting, 'changes were lost');
      await work;
    },
    async stop() {
      const unlisten = await listening.catch(() => null);
      if (unlisten !== null && !pg.closed) await unlisten();
      await work;
    },
  };
}

const changesSchema = v.array(v.object({ data: v.nullable(v.string()), subscribers: v.nullable(v.array(v.string())) }));
const transactionsSchema = v.array(v.object({ xid: v.string() }));
const tablesSchema = v.array(v.object({ tables: v.number() }));

/** Formats an error of Postgres like the driver of Supabase Realtime. */
function postgrexMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const name = code === null ? undefined : CONDITION_NAMES[code];
  return code === null ? error.message : `ERROR ${code}${name === undefined ? '' : ` (${name})`} ${error.message}`;
}

/** From appendix A of PostgreSQL's manual: the errors that a filter can raise. */
const CONDITION_NAMES: Readonly<Record<string, string>> = {
  P0001: 'raise_exception',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22P02': 'invalid_text_representation',
  '42704': 'undefined_object',
  '42883': 'undefined_function',
};
