import crypto from 'node:crypto';
import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { openSpoolIds } from '../../../src/inbox/spool-names.ts';
import type { ChaosRandom } from '../../chaos/orders/random.ts';
import type { Scheduler } from './scheduler.ts';
import { currentPlace } from './place.ts';

/**
 * Replaces the time, the timers and the random numbers of this process by those of a simulation. Code outside of a simulation, such as the
 * simulator itself, continues to use the real ones.
 */

interface Source {
  scheduler: Scheduler;
  random: ChaosRandom;
}

let source: Source | null = null;

/** Null ends the replacement. */
export function replaceGlobals(used: Source | null): void {
  source = used;
}

const inSimulation = (): Source | null => (source !== null && currentPlace() !== undefined ? source : null);

const RealDate = Date;
const realTicks = performance.now.bind(performance);
const now = (): number => {
  const used = inSimulation();
  return used ? used.scheduler.clock.now().getTime() + (currentPlace()?.aheadMs ?? 0) : RealDate.now();
};
globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [now()] : parts) as [number]));
  }

  static override now = now;
} as DateConstructor;
performance.now = () => inSimulation()?.scheduler.clock.ticks() ?? realTicks();
const realUtilization = performance.eventLoopUtilization.bind(performance);
/** How busy this machine is has no effect on a simulation. */
performance.eventLoopUtilization = (...given) =>
  inSimulation() ? { idle: 0, active: 0, utilization: 0 } : realUtilization(...given);

const real = { setTimeout, clearTimeout, setInterval, clearInterval };
type Callback = (...given: unknown[]) => void;

function toTimer(cancel: () => void): object {
  const timer = { cancel, ref: () => timer, unref: () => timer, hasRef: () => false, refresh: () => timer };
  return timer;
}

const cancelTimer =
  (cancelReal: (timer: never) => void) =>
  (timer: unknown): void => {
    if (typeof timer === 'object' && timer !== null && 'cancel' in timer) (timer as { cancel: () => void }).cancel();
    else cancelReal(timer as never);
  };

Object.assign(globalThis, {
  setTimeout(callback: Callback, milliseconds = 0, ...given: unknown[]) {
    const used = inSimulation();
    if (!used) return real.setTimeout(callback, milliseconds, ...given);
    return toTimer(used.scheduler.clock.after(milliseconds, () => callback(...given)));
  },
  setInterval(callback: Callback, milliseconds = 0, ...given: unknown[]) {
    const used = inSimulation();
    if (!used) return real.setInterval(callback, milliseconds, ...given);
    return toTimer(used.scheduler.clock.every(milliseconds, () => callback(...given)));
  },
  clearTimeout: cancelTimer(real.clearTimeout),
  clearInterval: cancelTimer(real.clearInterval),
});

const realMath = Math.random;
const realCrypto = { randomBytes: crypto.randomBytes, randomUUID: crypto.randomUUID, randomInt: crypto.randomInt };
Math.random = () => (inSimulation() ? source!.random.between(0, 1) : realMath());

function drawBytes(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, () => source!.random.below(256)));
}

function drawUuid(): string {
  const hex = drawBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

Object.assign(crypto, {
  randomBytes: (size: number, callback?: (error: null, bytes: Buffer) => void) => {
    if (!inSimulation() || callback) return realCrypto.randomBytes(size, callback as never);
    return drawBytes(size);
  },
  randomUUID: () => (inSimulation() ? drawUuid() : realCrypto.randomUUID()),
  randomInt: (...given: [number, number?]) => {
    if (!inSimulation()) return realCrypto.randomInt(...(given as [number, number]));
    const [low, high] = given.length === 1 ? [0, given[0]] : (given as [number, number]);
    return low + source!.random.below(high - low);
  },
});
/** Files are read and written at once, because threads finish in an order of their own. */
async function openFile(...given: Parameters<typeof fs.openSync>): Promise<object> {
  const file = fs.openSync(...given);
  const close = async (): Promise<void> => fs.closeSync(file);
  return {
    appendFile: async (text: string | Uint8Array) => fs.appendFileSync(file, text),
    read: async (buffer: Buffer, offset: number, length: number, position: number) => ({
      bytesRead: fs.readSync(file, buffer, offset, length, position),
      buffer,
    }),
    stat: async () => fs.fstatSync(file),
    sync: async () => fs.fsyncSync(file),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const realFiles: Record<string, (...given: never[]) => unknown> = { ...files } as never;
const FILES = ['access', 'appendFile', 'mkdir', 'readdir', 'rename', 'stat', 'statfs', 'unlink', 'utimes'] as const;
for (const name of FILES) {
  const run = fs[`${name}Sync`] as (...given: never[]) => unknown;
  Object.assign(files, {
    [name]: async (...given: never[]) => (inSimulation() ? run(...given) : realFiles[name]?.(...given)),
  });
}
Object.assign(files, {
  open: (...given: never[]) =>
    inSimulation() ? openFile(...(given as unknown as Parameters<typeof openFile>)) : realFiles['open']?.(...given),
});
syncBuiltinESMExports();
// The spool considers files abandoned if no open spool of this process wrote them. Those of a dead place are closed.
openSpoolIds.add = function add(id) {
  currentPlace()?.spoolIds.add(id);
  return Set.prototype.add.call(this, id);
};
const web = Object.getPrototypeOf(globalThis.crypto) as typeof globalThis.crypto;
const realWebUuid = web.randomUUID;
web.randomUUID = function randomUUID() {
  return inSimulation() ? (drawUuid() as ReturnType<typeof realWebUuid>) : realWebUuid.call(globalThis.crypto);
};

// Web Crypto works in threads of its own.
const subtle = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<
  string,
  (...given: unknown[]) => Promise<unknown>
>;
for (const name of ['sign', 'verify', 'digest', 'importKey', 'deriveBits'] as const) {
  const run = subtle[name]!;
  subtle[name] = function counted(this: unknown, ...given: unknown[]) {
    const work = run.apply(this, given);
    return inSimulation()?.scheduler.await(work) ?? work;
  };
}
