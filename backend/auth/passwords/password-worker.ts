// The worker thread of passwords.ts: computes bcrypt hashes one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import type { PasswordAnswer, PasswordTask } from './passwords.ts';

const cost: number = workerData;

parentPort?.on('message', (task: PasswordTask) => {
  const value = task.kind === 'hash' ? bcrypt.hashSync(task.password, cost) : isRight(task.password, task.hash);
  parentPort?.postMessage({ id: task.id, value } satisfies PasswordAnswer);
});

function isRight(password: string, hash: string): boolean {
  try {
    return bcrypt.compareSync(password, hash);
  } catch {
    // Stored in a form that bcrypt does not read: no password matches.
    return false;
  }
}
