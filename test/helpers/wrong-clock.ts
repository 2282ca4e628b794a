// A server loads this file first (`node --import`): its clock is then wrong by as many seconds as
// CLOCK_IS_WRONG_BY says.

const shift = Number(process.env['CLOCK_IS_WRONG_BY']) * 1000;
const Right = Date;

class Wrong extends Right {
  constructor(...given: unknown[]) {
    super(...((given.length > 0 ? given : [Right.now() + shift]) as [number]));
  }
  static override now(): number {
    return Right.now() + shift;
  }
}

globalThis.Date = Wrong as DateConstructor;
