import { useMutation as e } from "@apollo/client/react";
import { useCallback as t, useEffect as n, useRef as r, useState as i, useSyncExternalStore as a } from "react";
// packages/client/dist/generated/operations.js
var o = (e) => ({
	kind: "Name",
	value: e
}), s = (e) => ({
	kind: "Variable",
	name: o(e)
}), c = (e) => ({
	kind: "Argument",
	name: o(e),
	value: s(e)
}), l = (...e) => ({
	kind: "SelectionSet",
	selections: e
}), u = (e) => ({
	kind: "Field",
	name: o(e)
}), d = (e, t) => ({
	kind: "VariableDefinition",
	variable: s(e),
	type: t
}), f = (e) => ({
	kind: "NamedType",
	name: o(e)
}), p = {
	kind: "FragmentDefinition",
	name: o("StudyFields"),
	typeCondition: f("Study"),
	selectionSet: l(u("id"), u("description"), u("projectId"), u("createdAt"), u("bookmarked"), u("language"), u("audiences"), u("audiencesObj"), u("problems"), u("problemsObj"), u("files"), u("planId"), {
		kind: "Field",
		name: o("progress"),
		selectionSet: l(u("total"), u("completed"), u("failed"))
	}, u("status"), u("solutionId"), u("solution"), u("researchGoalId"), u("researchGoal"), u("knowledgeGraphs"), u("strategy"), u("interviewCount"), u("interviews"), u("summaries"))
}, m = {
	kind: "Document",
	definitions: [{
		kind: "OperationDefinition",
		operation: "mutation",
		name: o("CreateStudy"),
		variableDefinitions: [d("input", {
			kind: "NonNullType",
			type: f("CreateStudyInput")
		}), d("idempotencyKey", f("String"))],
		selectionSet: l({
			kind: "Field",
			name: o("createStudy"),
			arguments: [c("input"), c("idempotencyKey")],
			selectionSet: l({
				kind: "FragmentSpread",
				name: o("StudyFields")
			})
		})
	}, p]
};
// packages/client/dist/answer.js
function h(e) {
	return typeof e == "object" && !!e;
}
var g = 5;
function _(e) {
	let t = [];
	for (let n = e; h(n) && t.length < g; n = v(n)) t.push(n);
	return t;
}
function v(e) {
	let { bodyText: t, result: n, networkError: r, error: i, source: a, response: o } = e;
	return [
		typeof t == "string" ? y(t) : void 0,
		n,
		r,
		i,
		a,
		o
	].find(h);
}
function y(e) {
	try {
		return JSON.parse(e);
	} catch {
		return;
	}
}
function b(e) {
	let t = e.flatMap((e) => [
		e,
		e.errors,
		e.graphQLErrors,
		e.graphqlErrors
	]).find(x), n = e.map((e) => e.data).find(h);
	return t && {
		errors: t,
		data: n
	};
}
function x(e) {
	return Array.isArray(e) && e.length > 0 && e.every(S);
}
function S(e) {
	return h(e) && ("extensions" in e || typeof e.message == "string" && !(e instanceof Error));
}
// packages/client/dist/problem.js
var C = {
	NOT_SENT: "notSent",
	REJECTED: "rejected",
	APPLIED: "applied",
	UNKNOWN: "unknown"
};
function w(e, t) {
	return {
		kind: e ? C[e] : "readFailed",
		outcome: e,
		...t
	};
}
// packages/client/dist/root-fields.js
function T(e, { errors: t, data: n }) {
	let r = (e) => t.some(({ path: t }) => Array.isArray(t) && t[0] === e);
	return e.every((e) => e === "__typename" || r(e) && !n?.[e]);
}
// packages/client/dist/reported-problem.js
var E = [
	"UNKNOWN",
	"APPLIED",
	"REJECTED",
	"NOT_SENT",
	void 0
];
function D(e, t) {
	let n = e.errors.map((e) => O(e, t)), r = ({ outcome: e }) => E.indexOf(e), i = n.reduce((e, t) => r(t) < r(e) ? t : e), a = n.flatMap(({ retryAfterSeconds: e }) => e ?? []);
	return {
		...i,
		retryable: n.every(({ retryable: e }) => e) && (i.kind === "readFailed" || t === "query" || !e.data || T(Object.keys(e.data), e)),
		fieldErrors: n.filter(({ kind: e }) => e === i.kind).flatMap(({ fieldErrors: e }) => e),
		retryAfterSeconds: a.length > 0 ? Math.max(...a) : void 0
	};
}
function O(e, t) {
	let n = h(e.extensions) ? e.extensions : {}, { retryable: r, retryAfterSeconds: i, requestId: a, studyId: o, reason: s, upstreamMessage: c } = n, l = k(n.code) ?? "UNRECOGNIZED", u = A(n, t);
	return w(u, {
		code: l,
		message: e.message ?? `The operation failed: ${l}.`,
		retryable: r === !0 && u !== "UNKNOWN" && u !== "APPLIED",
		fieldErrors: Array.isArray(n.fieldErrors) ? n.fieldErrors.filter(j) : [],
		upstreamMessage: k(c),
		retryAfterSeconds: typeof i == "number" ? i : void 0,
		requestId: k(a),
		studyId: k(o),
		reason: k(s)
	});
}
function k(e) {
	return typeof e == "string" ? e : void 0;
}
function A({ outcome: e, retryable: t }, n) {
	if (e === "NOT_SENT") return e;
	if (n !== "query") return e === "REJECTED" || e === "APPLIED" || e === "UNKNOWN" ? e : e === void 0 && typeof t == "boolean" && n !== "mutation" ? void 0 : "UNKNOWN";
}
function j(e) {
	return h(e) && Array.isArray(e.path) && typeof e.message == "string";
}
// packages/client/dist/study-problem.js
var M = /fetch|network|load failed|terminated/i;
function N(e, t) {
	let n = _(e), r = b(n);
	return r ? D(r, t) : P(n, t === "query");
}
function P(e, t) {
	let { code: n, reason: r, isTransient: i } = F(e);
	return w(t ? void 0 : "UNKNOWN", {
		code: n,
		message: t ? r : `${r} Whether anything was changed is not known: check before repeating it.`,
		retryable: t && i,
		fieldErrors: [],
		upstreamMessage: void 0,
		retryAfterSeconds: void 0,
		requestId: void 0,
		studyId: void 0,
		reason: void 0
	});
}
function F(e) {
	if (e.some(({ name: e }) => e === "AbortError")) return {
		code: "ABORTED",
		reason: "The operation was called off.",
		isTransient: !1
	};
	if (e.some(I)) return {
		code: "NETWORK_ERROR",
		reason: "The gateway gave no answer.",
		isTransient: !0
	};
	let t = e.map(L).find((e) => e !== void 0);
	return t !== void 0 || e.some(({ name: e }) => e === "SyntaxError") ? {
		code: "UNREADABLE_ANSWER",
		reason: `The answer${t ? `, with status ${t},` : ""} is not one of the gateway's.`,
		isTransient: t !== void 0 && t >= 500
	} : {
		code: "UNRECOGNIZED",
		reason: "Something unforeseen happened.",
		isTransient: !1
	};
}
function I({ name: e, message: t }) {
	return e === "TimeoutError" || e === "TypeError" && typeof t == "string" && M.test(t);
}
function L({ response: e }) {
	return h(e) && typeof e.status == "number" ? e.status : void 0;
}
// packages/client/dist/idempotency-keys.js
var R = 864e5;
function z() {
	let { crypto: e } = globalThis;
	if (e?.randomUUID) return e.randomUUID();
	if (!e?.getRandomValues) throw Error("crypto.getRandomValues is missing: import react-native-get-random-values.");
	let t = e.getRandomValues(/* @__PURE__ */ new Uint8Array(36));
	return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replaceAll("x", (e, n) => (Number(t[n]) % 16).toString(16));
}
var B = /* @__PURE__ */ new Set(), V = class {
	#e;
	#t;
	#n = /* @__PURE__ */ new Map();
	#r = /* @__PURE__ */ new Set();
	#i = [];
	#a = "";
	constructor(e, t) {
		this.#e = `study-gateway:${e}:`, this.#t = t ?? W(() => globalThis.window?.localStorage);
	}
	send(e, t) {
		let n = this.#s(e), r = this.#c(n), { key: i } = this.#l(n, {
			key: z(),
			since: Date.now(),
			next: "resend",
			...r,
			tries: (r?.tries ?? 0) + 1
		});
		this.#r.add(n);
		let a = t({
			...e,
			idempotencyKey: i
		});
		return a.then((e) => this.#o(n, i, e), (e) => this.#o(n, i, { error: e ?? !0 })), a;
	}
	unsettled = () => {
		let e = W(() => Object.keys(this.#t ?? {})) ?? [], t = [...this.#n.keys(), ...e].flatMap((e) => {
			let t = e.startsWith(this.#e) && !this.#r.has(e) && this.#c(e);
			return t ? [{
				name: e,
				entry: t
			}] : [];
		}), n = JSON.stringify(t);
		return n !== this.#a && (this.#a = n, this.#i = t.map(({ name: e, entry: { since: t, next: n } }) => ({
			since: t,
			next: n,
			isOf: (t) => this.#s(t) === e,
			forget: () => this.#u(e)
		}))), this.#i;
	};
	subscribe = (e) => (B.add(e), globalThis.addEventListener?.("storage", e), () => {
		B.delete(e), globalThis.removeEventListener?.("storage", e);
	});
	#o(e, t, n) {
		this.#r.delete(e);
		let r = this.#c(e);
		if (r?.key !== t) return;
		let i = H(n) ? N(n, "mutation") : void 0, a = i?.kind === "unknown", o = i && U(i) ? r.tries - 1 : a ? r.tries : 0;
		if (o === 0) return this.#u(e);
		let s = i?.requestId && (a || i.reason);
		this.#l(e, {
			...r,
			tries: o,
			next: s ? "look" : r.next
		});
	}
	#s(e) {
		return this.#e + G(e);
	}
	#c(e) {
		let t = this.#n.get(e) ?? W(() => this.#t?.getItem(e)), n = W(() => JSON.parse(t ?? ""));
		if (n && Math.abs(Date.now() - n.since) < R) return n;
		W(() => this.#t?.removeItem(e));
	}
	#l(e, t) {
		let n = JSON.stringify(t);
		this.#n.set(e, n), W(() => {
			this.#t?.setItem(e, n), this.#t && this.#n.delete(e);
		});
		for (let e of B) e();
		return t;
	}
	#u(e) {
		this.#n.delete(e), W(() => this.#t?.removeItem(e));
		for (let e of B) e();
	}
};
function H(e) {
	if (!h(e)) return !1;
	let t = "data" in e ? e.data : e;
	return !!e.error || !!b(_(e)) || !h(t) || !Object.values(t).some(Boolean);
}
function U({ kind: e, code: t }) {
	return e === "notSent" || e === "rejected" && /^(UNAUTHENTICATED|FORBIDDEN|RATE_LIMITED)$/.test(t);
}
function W(e) {
	try {
		return e();
	} catch {
		return;
	}
}
function G(e) {
	let t = [];
	JSON.stringify(e, (e, n) => (t.push(e), n));
	let n = JSON.stringify(e, t.sort()), [r, i] = [0, 0];
	for (let e of n) {
		let t = Number(e.codePointAt(0));
		r = Math.imul(r ^ t, 16777619), i = Math.imul(i ^ t, 1540483477);
	}
	return `${r}.${i}`;
}
// packages/client/dist/react/apollo-4.js
function K(e) {
	let { version: t } = e.client;
	if (t?.startsWith("3.")) throw Error("study-gateway-client/react needs Apollo Client 4.");
	return e;
}
// packages/client/dist/react/mutation-hook.js
function q(n, r, o) {
	function s({ idempotent: s = !1, ...c } = {}) {
		let [l, u] = e(r, {
			...c,
			errorPolicy: o
		});
		K(u);
		let d = t((e) => X(l(e)), [l]), [f] = i(() => new V(n)), p = s === !0 ? f : s || void 0, m = Z(d, p, c.variables), h = a(f.subscribe, p?.unsettled ?? Y, Y);
		return [m, {
			...u,
			unsettled: h
		}];
	}
	return s;
}
var J = [], Y = () => J;
function X(e) {
	let t = e.then((e) => {
		let t = Object.values(e.data ?? {}).some(Boolean);
		if (e.error !== void 0 && !t) throw e.error;
		return e;
	});
	return t.catch(() => void 0), t;
}
function Z(e, i, a = {}) {
	let o = r(a);
	return n(() => {
		o.current = a;
	}), t((t) => {
		if (!i) return e(t);
		let n = {
			...o.current,
			...t?.variables
		}, r = (n) => e({
			...t,
			variables: n
		});
		return typeof n.idempotencyKey == "string" ? r(n) : i.send(n, r);
	}, [e, i]);
}
// packages/client/dist/react/hooks.js
var Q = /* @__PURE__ */ q("CreateStudy", m, "all");
export { Q as useCreateStudyMutation };
