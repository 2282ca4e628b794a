package main

import (
	"context"
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type object struct{ world *world }

type objectModel struct {
	Name types.String `tfsdk:"name"`
	// How long its creation takes, in milliseconds.
	Takes types.Int64 `tfsdk:"takes"`
	// "before" fails without an object, "after" fails with one, "crash" ends the provider.
	Fails    types.String `tfsdk:"fails"`
	Value    types.String `tfsdk:"value"`
	Secret   types.String `tfsdk:"secret"`
	SecretWo types.String `tfsdk:"secret_wo"`
}

func (*object) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "drill_object"
}

func (*object) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	again := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"name":      schema.StringAttribute{Required: true, PlanModifiers: again},
		"takes":     schema.Int64Attribute{Optional: true},
		"fails":     schema.StringAttribute{Optional: true},
		"value":     schema.StringAttribute{Optional: true},
		"secret":    schema.StringAttribute{Optional: true, Sensitive: true},
		"secret_wo": schema.StringAttribute{Optional: true, WriteOnly: true},
	}}
}

func (o *object) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	// Nothing is configured yet when the schema is read.
	o.world, _ = request.ProviderData.(*world)
}

func (o *object) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var planned, written objectModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(request.Config.Get(ctx, &written)...)
	if response.Diagnostics.HasError() {
		return
	}
	// A cloud goes on when its client wants to stop, so the context is not heeded.
	time.Sleep(time.Duration(planned.Takes.ValueInt64()) * time.Millisecond)
	switch planned.Fails.ValueString() {
	case "before":
		response.Diagnostics.AddError("The cloud is full", "No object was made.")
		return
	case "crash":
		os.Exit(3)
	}
	o.store(planned, written, &response.Diagnostics)
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
	if planned.Fails.ValueString() == "after" {
		response.Diagnostics.AddError("The object did not become ready", "It exists all the same.")
	}
}

func (o *object) store(planned, written objectModel, problems *diag.Diagnostics) {
	err := o.world.write(planned.Name.ValueString(), record{
		Value:        planned.Value.ValueString(),
		HasSecret:    planned.Secret.ValueString() != "",
		HasWriteOnly: written.SecretWo.ValueString() != "",
		Token:        o.world.token,
	})
	if err != nil {
		problems.AddError("The world cannot be written", err.Error())
	}
}

func (o *object) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var known objectModel
	response.Diagnostics.Append(request.State.Get(ctx, &known)...)
	if response.Diagnostics.HasError() {
		return
	}
	found, err := o.world.read(known.Name.ValueString())
	if err != nil {
		response.Diagnostics.AddError("The world cannot be read", err.Error())
		return
	}
	if found == nil {
		response.State.RemoveResource(ctx)
		return
	}
	if found.Value != known.Value.ValueString() {
		response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("value"), found.Value)...)
	}
}

func (o *object) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var planned, written objectModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(request.Config.Get(ctx, &written)...)
	if response.Diagnostics.HasError() {
		return
	}
	o.store(planned, written, &response.Diagnostics)
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

func (o *object) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var known objectModel
	response.Diagnostics.Append(request.State.Get(ctx, &known)...)
	if response.Diagnostics.HasError() {
		return
	}
	if err := os.Remove(o.world.path(known.Name.ValueString())); err != nil && !os.IsNotExist(err) {
		response.Diagnostics.AddError("The object cannot be removed", err.Error())
	}
}

func (*object) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("name"), request, response)
}
